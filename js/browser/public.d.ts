// The public types of flagservice-client, as they are published.

/** A user whose features are evaluated. */
export interface User {
  /**
   * Identifies the user, and decides which variant of a split they get. Without an id the user is anonymous and gets one
   * that is stored in this browser: see {@link Client.getAnonymousId}.
   */
  readonly id?: string | undefined;
  /** Anything that targeting rules can use: `{ plan: "pro", seats: 12, beta: true, teams: ["red", "blue"] }`. */
  readonly attributes?: Attributes | undefined;
}

/** The current user. The id of an anonymous user begins with `anonymous:`. */
export interface CurrentUser extends User {
  /** The given id, or that of the anonymous user. */
  readonly id: string;
}

/** Flat metadata of a user. Attributes that are `undefined` are ignored. */
export type Attributes = { readonly [name: string]: AttributeValue | readonly AttributeValue[] | undefined };

/** A value of an attribute. Numbers and strings are not converted. */
export type AttributeValue = string | number | boolean;

/** A flat map of feature key to variant. Unknown keys are missing. With your feature keys listed, only those can be read. */
export type Features<Key extends string = string> = string extends Key
  ? Record<string, string>
  : { [key in Key]?: string };

/** Settings of a client. Invalid ones are reported to the logger and ignored. */
export interface Config<Key extends string = string> {
  /**
   * Receive realtime updates. They need `EventSource`: load a polyfill first if the browser does not have it.
   * @default true
   */
  readonly streaming?: boolean | undefined;
  /**
   * Let the service ask some pages for a summary of what they evaluated, for its insights: the variant that each feature was last shown
   * in. It has no user and no id.
   * @default true
   */
  readonly insights?: boolean | undefined;
  /**
   * Link the anonymous user to the server-side SDK by a cookie. If false, send the result of
   * {@link Client.getAnonymousId} with your requests.
   * @default true
   */
  readonly useCookies?: boolean | undefined;
  /** Variants to use if neither the service nor this browser's cache has a value: `{ checkout: "on" }`. */
  readonly defaultFeatures?: { readonly [key in Key]?: string } | undefined;
  /**
   * For testing: the client requests nothing of the service, reads and stores nothing, and uses only {@link Config.defaultFeatures}.
   * `flagservice-client/wasm` still downloads its own `core.wasm`. Where WebAssembly is not available, only {@link Config.noWasmUrl} and
   * the file next to the script tag are loaded. Without them, `EVALUATION` does not fire and no exposure is sent.
   * @default false
   */
  readonly offline?: boolean | undefined;
  /**
   * Features that a server has already evaluated for this user, so that the page shows at once what the server has rendered.
   * They apply to the user of `init` until the service has responded.
   */
  readonly bootstrap?: { readonly [key in Key]?: string } | undefined;
  /** Where to send exposures: see {@link analyticsIntegration} and {@link exposureIntegration}. */
  readonly integrations?: readonly Integration<Key>[] | undefined;
  /**
   * URL of the service, such as `https://flags.example.com`.
   * @default the page's origin
   */
  readonly baseUrl?: string | undefined;
  /**
   * URL of this package's file `no-wasm-core.mjs`, which is loaded only where WebAssembly is not available.
   * @default the file next to that of the script tag, whose path ends in `.js` or `.mjs`; for modules and other paths, the service's copy
   * for this version of the package
   */
  readonly noWasmUrl?: string | undefined;
  /**
   * Where to log warnings and errors.
   * @default console
   */
  readonly logger?: Logger | undefined;
}

/** Receives the client's warnings and errors. */
export interface Logger {
  /** Something is invalid and is ignored. The message says what, and how to fix it. */
  warn(message: string, ...details: unknown[]): void;
  /** Something has failed. The client continues. */
  error(message: string, ...details: unknown[]): void;
}

/** The value of a feature when `evaluate` was called. Later changes do not affect it. */
export interface Evaluation {
  /** Whether the feature's value is exactly this one. */
  is(value: string): boolean;
  /** Whether the feature's value is `on`. */
  isOn(): boolean;
  /** Whether the feature's value is `off`. */
  isOff(): boolean;
  /** The feature's value, else its default from `defaultFeatures`, else `off`. */
  value(): string;
}

/** The argument of EVALUATION listeners. A listener may evaluate features itself: within one evaluation each feature fires once. */
export interface EvaluationEvent<Key extends string = string> {
  /** Key of the feature. */
  readonly key: Key;
  /** Variant to which the feature was evaluated. */
  readonly variant: string;
  /** The same as `variant`. */
  readonly value: string;
  /** The user for whom it was evaluated. */
  readonly user: CurrentUser;
}

/** The argument that listeners of each event get. */
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
  /** Features have changed, with streaming: only the changed ones, usually one. */
  UPDATED_FEATURE: Features<Key>;
  /** Features could not be evaluated for the user: the message. */
  ERROR: string;
  /**
   * A feature was evaluated: fires during each call of {@link Client.evaluate}. While the core cannot run yet, it fires when the core has
   * started, once for each call, in their order: with `flagservice-client/wasm` until its file is loaded; where a policy or the browser
   * refuses WebAssembly until the build without it is loaded; and with browsers that compile wasm of this size only in the background.
   */
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
  /** A feature was evaluated: see {@link EventArguments.EVALUATION}. */
  readonly EVALUATION: "EVALUATION";
}

/** A listener of an event. `This` is the type of `bindContext`. */
export type Listener<Argument, This = undefined> = (this: This, argument: Argument) => void;

/** A client: the features of one user. Its methods never throw. */
export interface Client<Key extends string = string> {
  /**
   * Evaluates a feature for the current user. Fires EVALUATION, and sends an exposure if one is due: at once, or when the core has started.
   *
   * @example
   * if (client.evaluate("checkout").isOn()) showCheckout();
   */
  evaluate(featureKey: Key): Evaluation;
  /** Evaluates every feature known from any source. Fires no EVALUATION event and sends no exposure. */
  evaluateAll(): Features<Key>;
  /**
   * Sends a goal that the user has reached, with the current features, for experiments. It is also sent while the page
   * closes, and again after a network failure.
   */
  goal(goalKey: string): void;
  /**
   * Replaces the user and evaluates all features again. The callback gets the current features once that has succeeded or
   * failed. Without a user: the anonymous one.
   */
  updateUser(user?: User | null, callback?: (features: Features<Key>) => void): void;
  /** The current evaluated features, as a new object. */
  getFeatures(): Features<Key>;
  /** The current user. */
  getUser(): CurrentUser;
  /**
   * Subscribes to an event. No event fires before `init` has returned. If a listener throws, the error is logged and the
   * other listeners still run.
   *
   * @example
   * client.on("UPDATED_FEATURE", (changed) => render(changed));
   *
   * @param event A name from `FlagService.events`; it determines the argument of the callback.
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
   * @param callback The function that was passed to `on`, however often. Without one: all listeners of the event.
   */
  off<Name extends EventName>(
    event: Name,
    // biome-ignore lint/suspicious/noExplicitAny: the context that was bound when subscribing.
    callback?: Listener<EventArguments<Key>[Name], any>,
  ): void;
  /** The anonymous user id from local storage. */
  getAnonymousId(): string;
  /** Creates and returns a new anonymous user id. Features do not change until {@link Client.updateUser}. */
  resetAnonymousId(): string;
  /** Whether the first request to the service has completed, whatever the response. */
  hasReceivedInitialResponse(): boolean;
  /** Ends the client, its stream and its timers. It keeps answering with its last values. */
  close(): void;
}

/** An exposure: the user has seen this variant of this flag. */
export interface Exposure {
  /** Key of the flag. */
  readonly key: string;
  /** The variant that the user has seen. */
  readonly variant: string;
}

/** Which flags send exposures: those in a list (none if it is empty), or those for which a predicate returns true. */
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

/** The methods used of an analytics instance. It can be the namespace of an analytics package or an instance of your own. */
export interface AnalyticsInstance {
  /** Sends an event for the instance's own user and device. */
  track(eventName: string, properties: Record<string, unknown>): unknown;
  /**
   * Sets user properties. It gets an instance of `Identify`, else an object whose `getUserProperties()` returns
   * `{ $set: { flagservice_checkout: "on" } }`. An `identify` that takes the id of a user does not fit: use
   * {@link exposureIntegration}, or {@link AnalyticsOptions.identify} false.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each analytics SDK has its own class of identify calls.
  identify?(identify: any): unknown;
  /** Class of the argument of `identify`, if the instance has it: with a method `set(name, value)`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  Identify?: new () => any;
}

/** Receives exposures. Create it with {@link exposureIntegration} or {@link analyticsIntegration}. `Key` is the type of its flags. */
export interface Integration<Key extends string = string> {
  /** The function that created it. */
  readonly name: "analyticsIntegration" | "exposureIntegration";
  /** The analytics instance or the handler. Integrations with the same source send each exposure once. */
  readonly source: object;
  /** Which flags send exposures, and how. */
  readonly options: AnalyticsOptions<Key>;
}

/**
 * Calls `handler` once for each user, flag and variant until the page is closed. It works with any analytics tool.
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
   * Creates a client. It answers at once from what the page provides or the last visit has cached, and loads from the service.
   *
   * List your feature keys to have them type-checked: `FlagService.init<"checkout" | "banner">("js-…")`.
   *
   * @example
   * const client = FlagService.init("js-…", { id: "ada", attributes: { plan: "pro" } });
   * if (client.evaluate("checkout").isOn()) showCheckout();
   *
   * @param apiKey JavaScript client key of an environment. It is public.
   * @param user Default: an anonymous user.
   * @throws TypeError if apiKey is missing, blank or not a string. It throws for no other reason.
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
