// The public types of flagservice-client, as they are published.

/** A user whose features are evaluated. */
export interface User {
  /**
   * Identifies the user, and decides which variant of a split the user gets. Without one the user is anonymous, with an
   * id that is kept in this browser: see {@link Client.getAnonymousId}.
   */
  readonly id?: string | undefined;
  /** Anything that targeting rules may ask for: `{ plan: "pro", seats: 12, beta: true, teams: ["red", "blue"] }`. */
  readonly attributes?: Attributes | undefined;
}

/** The user for whom features are evaluated now. An anonymous one has an id that begins with `anonymous:`. */
export interface CurrentUser extends User {
  /** The id that was given, or that of the anonymous user. */
  readonly id: string;
}

/** Flat metadata of a user. An attribute that is `undefined` is left out. */
export type Attributes = { readonly [name: string]: AttributeValue | readonly AttributeValue[] | undefined };

/** One value of an attribute. Numbers and texts are not converted into each other. */
export type AttributeValue = string | number | boolean;

/** A flat map of feature key to variant. A key that nobody knows is not in it. */
export type Features<Key extends string = string> = { [key in Key]?: string };

/** Settings of a client. One that cannot be used is reported to the logger and ignored. */
export interface Config<Key extends string = string> {
  /**
   * Listen for realtime updates. They need `EventSource`: load a polyfill first where a browser has none.
   * @default true
   */
  readonly streaming?: boolean | undefined;
  /**
   * Link the anonymous user to the server-side SDK by a cookie. When false, pass the result of
   * {@link Client.getAnonymousId} on with your requests.
   * @default true
   */
  readonly useCookies?: boolean | undefined;
  /** Variants to use where neither the service nor the cache of this browser has a value: `{ checkout: "on" }`. */
  readonly defaultFeatures?: Readonly<Features<Key>> | undefined;
  /**
   * For testing: nothing is requested, read or stored, and {@link Config.defaultFeatures} is all there is.
   * @default false
   */
  readonly offline?: boolean | undefined;
  /**
   * Features that a server has evaluated already for this user: what it rendered is right in the page at once.
   * They hold for the user of `init`, until the service has answered.
   */
  readonly bootstrap?: Readonly<Features<Key>> | undefined;
  /** Where exposures go: see {@link analyticsIntegration} and {@link exposureIntegration}. */
  readonly integrations?: readonly Integration<Key>[] | undefined;
  /**
   * Address of the service, such as `https://flags.example.com`.
   * @default the page's origin
   */
  readonly baseUrl?: string | undefined;
  /**
   * Where warnings and errors go.
   * @default console
   */
  readonly logger?: Logger | undefined;
}

/** Takes the client's warnings and errors. */
export interface Logger {
  /** Something is wrong and was ignored. The message names it, and the remedy. */
  warn(message: string, ...details: unknown[]): void;
  /** Something has failed. The page goes on. */
  error(message: string, ...details: unknown[]): void;
}

/** The value of a feature at the moment of `evaluate`. Later changes do not alter it. */
export interface Evaluation {
  /** Whether the feature's value is this one, to the letter. */
  is(value: string): boolean;
  /** Whether the feature's value is `on`. */
  isOn(): boolean;
  /** Whether the feature's value is `off`. */
  isOff(): boolean;
  /** The feature's value; else its default feature; else `off`. */
  value(): string;
}

/** What a listener of EVALUATION gets. */
export interface EvaluationEvent<Key extends string = string> {
  /** Key of the feature. */
  readonly key: Key;
  /** Variant that the feature was evaluated to. */
  readonly variant: string;
  /** Equals `variant`. */
  readonly value: string;
  /** For whom it was evaluated. */
  readonly user: CurrentUser;
}

/** Each event, and what its listeners get. */
export interface EventArguments<Key extends string = string> {
  /** Features were loaded from local storage, by `init` or `updateUser`: all evaluated features. */
  LOADED_FROM_CACHE: Features<Key>;
  /** Features were evaluated and loaded, by `init` or `updateUser`: all evaluated features. */
  INIT: Features<Key>;
  /**
   * The older name of INIT: all evaluated features.
   * @deprecated Use INIT.
   */
  LOADED: Features<Key>;
  /** Features have changed, with streaming: only those, usually one. */
  UPDATED_FEATURE: Features<Key>;
  /** Features could not be evaluated for the user: the message. */
  ERROR: string;
  /** A feature was evaluated: fired within each call of {@link Client.evaluate}. */
  EVALUATION: EvaluationEvent<Key>;
}

/** Name of an event. */
export type EventName = keyof EventArguments;

/** Names of the events, for {@link Client.on}. */
export interface Events {
  /** Features were loaded from local storage, by `init` or `updateUser`. */
  readonly LOADED_FROM_CACHE: "LOADED_FROM_CACHE";
  /** Features were evaluated and loaded, by `init` or `updateUser`. */
  readonly INIT: "INIT";
  /**
   * The older name of INIT.
   * @deprecated Use INIT.
   */
  readonly LOADED: "LOADED";
  /** Features have changed, with streaming. */
  readonly UPDATED_FEATURE: "UPDATED_FEATURE";
  /** Features could not be evaluated for the user. */
  readonly ERROR: "ERROR";
  /** A feature was evaluated: fired within each call of {@link Client.evaluate}. */
  readonly EVALUATION: "EVALUATION";
}

/** Hears an event. `This` is what was given as `bindContext`. */
export type Listener<Argument, This = undefined> = (this: This, argument: Argument) => void;

/** A client: the features of one user. None of its methods throws. */
export interface Client<Key extends string = string> {
  /**
   * Evaluates a feature for the current user. Fires EVALUATION, and sends an exposure if one is due.
   *
   * @example
   * if (client.evaluate("checkout").isOn()) showCheckout();
   */
  evaluate(featureKey: Key): Evaluation;
  /** Evaluates every feature that is known from anywhere. Fires no EVALUATION event and sends no exposure. */
  evaluateAll(): Features<Key>;
  /**
   * Tells the service that the user has reached a goal, with the features as they are now, for experiments. It is sent
   * also while the page closes, and again after a network failure.
   */
  goal(goalKey: string): void;
  /**
   * Replaces the user and evaluates all features again. The callback gets the features in force once that has ended,
   * well or not. Without a user: the anonymous one.
   */
  updateUser(user?: User | null, callback?: (features: Features<Key>) => void): void;
  /** The current evaluated features, as an object of your own. */
  getFeatures(): Features<Key>;
  /** The current user. */
  getUser(): CurrentUser;
  /**
   * Subscribes to an event. No event fires before `init` has returned. A listener that throws is reported, and harms
   * nobody.
   *
   * @example
   * client.on("UPDATED_FEATURE", (changed) => render(changed));
   *
   * @param event A name of `FlagService.events`; it decides what the callback gets.
   * @param bindContext `this` of the callback.
   */
  on<Name extends EventName, This = undefined>(
    event: Name,
    callback: Listener<EventArguments<Key>[Name], This>,
    bindContext?: This,
  ): void;
  /**
   * Unsubscribes from an event.
   *
   * @param callback The function that was given to `on`, however often. Left out: all listeners of the event.
   */
  off<Name extends EventName>(
    event: Name,
    // biome-ignore lint/suspicious/noExplicitAny: whatever was bound when subscribing.
    callback?: Listener<EventArguments<Key>[Name], any>,
  ): void;
  /** The anonymous user id that is kept in local storage. */
  getAnonymousId(): string;
  /** Makes a new anonymous user id and returns it. Features stay as they are until {@link Client.updateUser}. */
  resetAnonymousId(): string;
  /** Whether the first request to the service has completed, however it was answered. */
  hasReceivedInitialResponse(): boolean;
  /** Ends the client, its stream and its timers: it still answers, but nothing moves any more. */
  close(): void;
}

/** An exposure: this user has seen this variant of this flag. */
export interface Exposure {
  /** Key of the flag. */
  readonly key: string;
  /** The variant that was seen. */
  readonly variant: string;
}

/** Which flags send exposures: those of a list (an empty one: none), or those for which a predicate says so. */
export type ExposureFlags<Key extends string = string> = readonly Key[] | ((flagKey: string) => boolean);

/** Options of {@link exposureIntegration}. */
export interface ExposureOptions<Key extends string = string> {
  /**
   * Which flags send exposures.
   * @default all flags
   */
  readonly flags?: ExposureFlags<Key> | undefined;
}

/** Options of {@link analyticsIntegration}. */
export interface AnalyticsOptions<Key extends string = string> extends ExposureOptions<Key> {
  /**
   * Set the user property `flagservice_<flagKey>` for each flag.
   * @default true
   */
  readonly identify?: boolean | undefined;
  /**
   * Name of the exposure event.
   * @default "$exposure"
   */
  readonly eventName?: string | undefined;
}

/** What is used of an analytics instance: the namespace of its package will do, and so will an instance of your own. */
export interface AnalyticsInstance {
  /** Sends an event, as the instance's own user and device. */
  track(eventName: string, properties: Record<string, unknown>): unknown;
  /** Sets user properties. */
  // biome-ignore lint/suspicious/noExplicitAny: each analytics SDK has its own class of identify calls.
  identify?(identify: any): unknown;
  /** Class of what `identify` takes, where the instance has it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  Identify?: new () => any;
}

/**
 * Something that is told of exposures; made by {@link exposureIntegration} or {@link analyticsIntegration}. `Key` are the
 * flags that its list names.
 */
export interface Integration<Key extends string = string> {
  /** Name by which failures are reported. */
  readonly name: string;
  /** Integrations of one source send each exposure once. */
  readonly source: object;
  /** Which flags send exposures. Left out: all. */
  readonly flags?: ExposureFlags<Key> | undefined;
  /** Takes an exposure. */
  expose(exposure: Exposure): void;
}

/**
 * Calls `handler` once for each user, flag and variant of the page: works with any analytics tool.
 *
 * @example
 * exposureIntegration(({ key, variant }) => analytics.send("exposure", { key, variant }), { flags: ["checkout"] });
 */
export declare function exposureIntegration<Key extends string = never>(
  handler: (exposure: Exposure) => void,
  options?: ExposureOptions<Key> | null,
): Integration<Key>;

/**
 * Sends each exposure as an event `$exposure` with `flag_key` and `variant` through your analytics instance, and sets the
 * user property `flagservice_<flagKey>`.
 *
 * @example
 * FlagService.init("js-…", { id: "ada" }, { integrations: [analyticsIntegration(analytics)] });
 */
export declare function analyticsIntegration<Key extends string = never>(
  instance: AnalyticsInstance,
  options?: AnalyticsOptions<Key> | null,
): Integration<Key>;

/** The browser client of Flag Service. */
export interface FlagServiceStatic {
  /**
   * Makes a client. It answers at once, from what the page or the last visit knows, and asks the service.
   *
   * Name your features to have their keys checked: `FlagService.init<"checkout" | "banner">("js-…")`.
   *
   * @example
   * const client = FlagService.init("js-…", { id: "ada", attributes: { plan: "pro" } });
   * if (client.evaluate("checkout").isOn()) showCheckout();
   *
   * @param apiKey JavaScript client key of an environment. It is public.
   * @param user Left out: an anonymous user.
   * @throws TypeError when apiKey is missing, blank or not a string. Nothing else makes it throw.
   */
  init<Key extends string = string>(
    apiKey: string,
    user?: User | null,
    config?: Config<NoInfer<Key>> | null,
  ): Client<Key>;
  /** Names of the events. */
  readonly events: Events;
  /** As the named export, for pages with a script tag. */
  readonly analyticsIntegration: typeof analyticsIntegration;
  /** As the named export, for pages with a script tag. */
  readonly exposureIntegration: typeof exposureIntegration;
}

/** The browser client of Flag Service: the default export, and the named one. */
export declare const FlagService: FlagServiceStatic;
export default FlagService;
