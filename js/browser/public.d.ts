// The public types of flagservice-client, as they are published.

/** A user whose features are evaluated. */
export interface User {
  /** Identifies the user and decides on split variants. Without one, the user is anonymous. */
  readonly id?: string;
  /** Anything that targeting rules may ask for. */
  readonly attributes?: Attributes;
}

/** The user for whom features are evaluated now. An anonymous one has an id that begins with `anonymous:`. */
export interface CurrentUser extends User {
  readonly id: string;
}

/** Flat metadata of a user. */
export type Attributes = { readonly [name: string]: AttributeValue | readonly AttributeValue[] };

/** One value of an attribute. */
export type AttributeValue = string | number | boolean;

/** A map of feature key to variant. */
export type Features<Key extends string = string> = { [key in Key]?: string };

/** Settings of a client. */
export interface Config<Key extends string = string> {
  /** Listen for realtime updates. Default: true. */
  readonly streaming?: boolean;
  /**
   * Link the anonymous user to the server-side SDK by a cookie. Default: true. When false, pass the result of
   * {@link Client.getAnonymousId} on with your requests.
   */
  readonly useCookies?: boolean;
  /** Variants to use as long as the service cannot be reached and nothing is cached. */
  readonly defaultFeatures?: Features<Key>;
  /** For testing: no calls are made, and the default features are all there is. Default: false. */
  readonly offline?: boolean;
  /** Features that were evaluated already, for server rendering: they are right at once. */
  readonly bootstrap?: Features<Key>;
  /** Where exposures go: see {@link analyticsIntegration} and {@link exposureIntegration}. */
  readonly integrations?: readonly Integration[];
  /** Address of the service. Default: the page's origin. */
  readonly baseUrl?: string;
  /** Where warnings and errors go. Default: the console. */
  readonly logger?: Logger;
}

/** Takes the client's warnings and errors. */
export interface Logger {
  /** Something is wrong and was ignored. */
  warn(message: string, ...details: unknown[]): void;
  /** Something has failed. */
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

/** What happens when a feature is evaluated. */
export interface EvaluationEvent<Key extends string = string> {
  readonly key: Key;
  readonly variant: string;
  /** Equals `variant`. */
  readonly value: string;
  readonly user: CurrentUser;
}

/** Each event and what its listeners get. */
export interface EventArguments<Key extends string = string> {
  /** Features were loaded from local storage: all evaluated features. */
  LOADED_FROM_CACHE: Features<Key>;
  /** Features were evaluated and loaded: all evaluated features. */
  INIT: Features<Key>;
  /** The older name of INIT: all evaluated features. */
  LOADED: Features<Key>;
  /** Features have changed: only those. */
  UPDATED_FEATURE: Features<Key>;
  /** Features could not be evaluated: the message. */
  ERROR: string;
  /** A feature was evaluated. */
  EVALUATION: EvaluationEvent<Key>;
}

/** Name of an event. */
export type EventName = keyof EventArguments;

/** Names of the events, for {@link Client.on}. */
export interface Events {
  /** Features were loaded from local storage, by init or updateUser. */
  readonly LOADED_FROM_CACHE: "LOADED_FROM_CACHE";
  /** Features were evaluated and loaded, by init or updateUser. */
  readonly INIT: "INIT";
  /** @deprecated Use INIT. */
  readonly LOADED: "LOADED";
  /** Features have changed, with streaming. */
  readonly UPDATED_FEATURE: "UPDATED_FEATURE";
  /** Features could not be evaluated for the user. */
  readonly ERROR: "ERROR";
  /** A feature was evaluated: fired within each call of evaluate. */
  readonly EVALUATION: "EVALUATION";
}

/** Hears an event. */
export type Listener<Argument> = (argument: Argument) => void;

/** A client: the features of one user. */
export interface Client<Key extends string = string> {
  /** Evaluates a feature for the current user. */
  evaluate(featureKey: Key): Evaluation;
  /** Evaluates every feature that is known from anywhere. Fires no EVALUATION event and sends no exposure. */
  evaluateAll(): Features<Key>;
  /** Tells the service that the user has reached a goal, with the features as they are now. */
  goal(goalKey: string): void;
  /**
   * Replaces the user and evaluates all features again. The callback gets the features in force once that has ended,
   * well or not. Without a user: the anonymous one.
   */
  updateUser(user?: User, callback?: Listener<Features<Key>>): void;
  /** The current evaluated features. */
  getFeatures(): Features<Key>;
  /** The current user. */
  getUser(): CurrentUser;
  /** Subscribes to an event. `bindContext` is `this` of the callback. */
  on<Name extends EventName>(event: Name, callback: Listener<EventArguments<Key>[Name]>, bindContext?: unknown): void;
  /** Unsubscribes one callback of an event, or all of them. */
  off<Name extends EventName>(event: Name, callback?: Listener<EventArguments<Key>[Name]>): void;
  /** The anonymous user id that is kept in local storage. */
  getAnonymousId(): string;
  /** Makes a new anonymous user id and returns it. Features stay as they are until updateUser. */
  resetAnonymousId(): string;
  /** Whether the first request to the service has completed, however it was answered. */
  hasReceivedInitialResponse(): boolean;
  /** Ends the client: it still answers, but nothing moves any more. */
  close(): void;
}

/** An exposure: this user has seen this variant of this flag. */
export interface Exposure {
  readonly key: string;
  readonly variant: string;
}

/** Which flags send exposures: all (left out), those of a list, or those for which a predicate says so. */
export type ExposureFlags = readonly string[] | ((flagKey: string) => boolean);

/** Options of {@link exposureIntegration}. */
export interface ExposureOptions {
  readonly flags?: ExposureFlags;
}

/** Options of {@link analyticsIntegration}. */
export interface AnalyticsOptions extends ExposureOptions {
  /** Set a user property for each flag. Default: true. */
  readonly identify?: boolean;
  /** Name of the exposure event. Default: `$exposure`. */
  readonly eventName?: string;
}

/** What is used of an analytics instance. */
export interface AnalyticsInstance {
  track(eventName: string, properties: Record<string, unknown>): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each analytics SDK has its own class of identify calls.
  identify?(identify: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  Identify?: new () => any;
}

/** Something that is told of exposures; made by {@link exposureIntegration} or {@link analyticsIntegration}. */
export interface Integration {
  readonly name: string;
  /** Integrations of one source send each exposure once. */
  readonly source: object;
  readonly flags?: ExposureFlags | undefined;
  expose(exposure: Exposure): void;
}

/** Calls `handler` once for each user, flag and variant of the page. */
export declare function exposureIntegration(
  handler: (exposure: Exposure) => void,
  options?: ExposureOptions,
): Integration;

/** Sends each exposure as an event through your analytics instance, and sets a user property for its flag. */
export declare function analyticsIntegration(instance: AnalyticsInstance, options?: AnalyticsOptions): Integration;

/** The browser client of Flag Service. */
export interface FlagServiceStatic {
  /**
   * Makes a client. It answers at once, from what the page or the last visit knows, and asks the service.
   *
   * Name your features to have their keys checked: `FlagService.init<"checkout" | "banner">("js-…")`.
   *
   * @throws TypeError when apiKey is missing, blank or not a string. Nothing else makes it throw.
   */
  init<Key extends string = string>(apiKey: string, user?: User, config?: Config<Key>): Client<Key>;
  /** Names of the events. */
  readonly events: Events;
  readonly analyticsIntegration: typeof analyticsIntegration;
  readonly exposureIntegration: typeof exposureIntegration;
}

/** The browser client of Flag Service. */
export declare const FlagService: FlagServiceStatic;
export default FlagService;
