// The public types of flagservice-node-sdk, as they are published.

/** A user for whom features are evaluated. */
export interface User {
  /**
   * Identifies the user, and decides which variant of a split the user gets. For somebody whom nobody has named, take
   * {@link FlagServiceStatic.anonymousId}. Without one the user is a new anonymous one, the same for the same object.
   */
  readonly id?: string | undefined;
  /** Anything that targeting rules may ask for: `{ plan: "pro", seats: 12, beta: true, teams: ["red", "blue"] }`. */
  readonly attributes?: Attributes | undefined;
}

/** The user for whom a feature was evaluated. An anonymous one has an id that begins with `anonymous:`. */
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
  /** Address of the service, such as `https://flags.example.com`. Needed unless {@link Config.offline}. */
  readonly baseUrl?: string | undefined;
  /**
   * Be told of changes as they happen. When false, the service is asked every {@link Config.pollInterval}.
   * @default true
   */
  readonly streaming?: boolean | undefined;
  /**
   * Milliseconds from one question to the next without {@link Config.streaming}, at least 1,000.
   * @default 30000
   */
  readonly pollInterval?: number | undefined;
  /** Variants to use while the service has told nothing of a feature: `{ checkout: "on" }`. */
  readonly defaultFeatures?: Readonly<Features<Key>> | undefined;
  /**
   * For testing: nothing is requested, read or stored, and {@link Config.defaultFeatures} is all there is.
   * @default false
   */
  readonly offline?: boolean | undefined;
  /**
   * A file in which the last known rules are kept, for a start while the service is away. One for each server key. It
   * holds the rules in clear.
   */
  readonly file?: string | undefined;
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
  /** Something has failed. The application goes on. */
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
  /** The rules that a file has kept are in force: keys of all features. */
  LOADED_FROM_CACHE: readonly Key[];
  /** The rules in force are the service's for the first time, sent by it or confirmed: keys of all features. */
  INIT: readonly Key[];
  /** Rules have changed: keys of the features whose rules did, or that are new or gone. */
  UPDATED_FEATURE: readonly Key[];
  /** The rules could not be loaded or read: the message. */
  ERROR: string;
  /** A variant was read: fired within each call of {@link Client.evaluate}. */
  EVALUATION: EvaluationEvent<Key>;
}

/** Name of an event. */
export type EventName = keyof EventArguments;

/** Names of the events, for {@link Client.on}. */
export type Events = { readonly [Name in EventName]: Name };

/** Hears an event. `This` is what was given as `bindContext`. */
export type Listener<Argument, This = undefined> = (this: This, argument: Argument) => void;

/** A client: the rules of one environment, evaluated in this process. None of its methods throws. */
export interface Client<Key extends string = string> {
  /**
   * Evaluates a feature for a user, and fires EVALUATION.
   *
   * @example
   * if (client.evaluate("checkout", { id: "ada" }).isOn()) checkout();
   */
  evaluate(featureKey: Key, user?: User | null): Evaluation;
  /** Evaluates every feature that is known from anywhere, for a user. Fires no EVALUATION event. */
  evaluateAll(user?: User | null): Features<Key>;
  /**
   * Evaluates what the browser client takes as `bootstrap`, so that the page shows at once what the server has rendered.
   * `undefined` while no rules are known: the page then uses what it knows. Fires no EVALUATION event.
   */
  bootstrap(user?: User | null): Features<Key> | undefined;
  /** Tells the service that a user has reached a goal, with the user's features as they are now, for experiments. */
  goal(goalKey: string, user?: User | null): void;
  /**
   * Resolves when the first attempt to load the rules has ended, with whether there are rules: from the service or from
   * the file. It never rejects.
   */
  ready(): Promise<boolean>;
  /** Subscribes to an event. No event fires before `init` has returned. A listener that throws is reported, and harms nobody. */
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
  /**
   * Ends the client: it still answers, but nothing moves any more, and it keeps no process alive, which it does until then. Goals that wait are sent
   * once more; the promise resolves when that has ended.
   */
  close(): Promise<void>;
}

/** A request, or the text of its `Cookie` header. */
export type CookieSource =
  | string
  | null
  | undefined
  | { readonly headers: { readonly cookie?: string | undefined } | { get(name: string): string | null } };

/** How the cookie of an anonymous visitor is written. */
export interface CookieOptions {
  /** Whether the site is served over HTTPS alone: as it should be. */
  readonly secure?: boolean | undefined;
}

/** What the default export has. */
export interface FlagServiceStatic {
  /**
   * Starts a client.
   *
   * @example
   * const client = FlagService.init(serverKey, { baseUrl: "https://flags.example.com" });
   * await client.ready();
   *
   * @param serverKey Server key of an environment. It is secret.
   * @throws TypeError when serverKey is missing, blank or not a string. Nothing else makes it throw.
   */
  init<Key extends string = string>(serverKey: string, config?: Config<NoInfer<Key>> | null): Client<Key>;
  /** Names of the events. */
  readonly events: Events;
  /** The id of an anonymous visitor as the browser client's cookie tells it; `undefined` when there is none that is whole. */
  anonymousId(source: CookieSource): string | undefined;
  /** An id for a new anonymous visitor. */
  newAnonymousId(): string;
  /** The `Set-Cookie` text that tells the browser client the id of an anonymous visitor. */
  anonymousCookie(id: string, options?: CookieOptions): string;
}

/** As {@link FlagServiceStatic.init}. */
export declare const init: FlagServiceStatic["init"];
/** As {@link FlagServiceStatic.anonymousId}. */
export declare const anonymousId: FlagServiceStatic["anonymousId"];
/** As {@link FlagServiceStatic.newAnonymousId}. */
export declare const newAnonymousId: FlagServiceStatic["newAnonymousId"];
/** As {@link FlagServiceStatic.anonymousCookie}. */
export declare const anonymousCookie: FlagServiceStatic["anonymousCookie"];

/** The Node SDK of Flag Service: the default export, and the named one. */
export declare const FlagService: FlagServiceStatic;
export default FlagService;
