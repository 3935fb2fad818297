// The public types of flagservice-node-sdk, as they are published.

/** A user for whom features are evaluated. */
export interface User {
  /**
   * Identifies the user, and decides which variant of a split they get. For an anonymous visitor use
   * {@link FlagServiceStatic.anonymousId}. Without an id the user is anonymous, with the same id for the same object.
   */
  readonly id?: string | undefined;
  /** What targeting rules can use: `{ plan: "pro", seats: 12, beta: true, teams: ["red", "blue"] }`. */
  readonly attributes?: Attributes | undefined;
}

/** The user for whom a feature was evaluated. Anonymous ids start with `anonymous:`. */
export interface CurrentUser extends User {
  /** The given id, or that of the anonymous user. */
  readonly id: string;
}

/** Flat metadata of a user. An attribute that is `undefined` is left out. */
export type Attributes = { readonly [name: string]: AttributeValue | readonly AttributeValue[] | undefined };

/** One value of an attribute. Numbers and strings are not converted into each other. */
export type AttributeValue = string | number | boolean;

/** A flat map of feature key to variant. It has no entries for unknown features. */
export type Features<Key extends string = string> = string extends Key
  ? Record<string, string>
  : { [key in Key]?: string };

/** Settings of a client. Invalid ones are reported to the logger and ignored. */
export interface Config<Key extends string = string> {
  /**
   * URL of the service, such as `https://flags.example.com`, without user name, query and fragment. Required unless
   * {@link Config.offline} is set.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Whether to receive changes over a stream. If false, the client polls every {@link Config.pollInterval}.
   * @default true
   */
  readonly streaming?: boolean | undefined;
  /**
   * Milliseconds between two polls without {@link Config.streaming}, from 1,000 to 2,147,483,647.
   * @default 30000
   */
  readonly pollInterval?: number | undefined;
  /** Variants to use until the service has sent rules for a feature: `{ checkout: "on" }`. */
  readonly defaultFeatures?: { readonly [key in Key]?: string } | undefined;
  /**
   * For tests: use only {@link Config.defaultFeatures}; request, read and store nothing.
   * @default false
   */
  readonly offline?: boolean | undefined;
  /**
   * Count evaluations, for the insights that the service shows: how often each variant of a feature was evaluated, each minute. No user
   * is part of it.
   * @default true
   */
  readonly insights?: boolean | undefined;
  /**
   * A file for the last known rules, so that the application can start while the service is unavailable. Use one file for
   * each server key. The rules are not encrypted.
   */
  readonly file?: string | undefined;
  /**
   * Where warnings and errors go.
   * @default console
   */
  readonly logger?: Logger | undefined;
}

/** Receives the client's warnings and errors. */
export interface Logger {
  /** Something invalid was ignored. The message names it and the remedy. */
  warn(message: string, ...details: unknown[]): void;
  /** Something failed. The application continues. */
  error(message: string, ...details: unknown[]): void;
}

/** The value of a feature when `evaluate` was called. Later changes do not affect it. */
export interface Evaluation {
  /** Whether the feature's value equals this one. Case-sensitive. */
  is(value: string): boolean;
  /** Whether the feature's value is `on`. */
  isOn(): boolean;
  /** Whether the feature's value is `off`. */
  isOff(): boolean;
  /** The feature's value; else its default feature; else `off`. */
  value(): string;
}

/** The argument of EVALUATION listeners. A listener may evaluate features itself: within one evaluation each feature fires once. */
export interface EvaluationEvent<Key extends string = string> {
  /** Key of the feature. */
  readonly key: Key;
  /** Variant that the feature was evaluated to. */
  readonly variant: string;
  /** Equals `variant`. */
  readonly value: string;
  /** The user for whom it was evaluated. */
  readonly user: CurrentUser;
}

/** Each event with the argument of its listeners. */
export interface EventArguments<Key extends string = string> {
  /** The rules from the file are in force: keys of all features. */
  LOADED_FROM_CACHE: readonly Key[];
  /** The service has sent or confirmed the rules for the first time: keys of all features. */
  INIT: readonly Key[];
  /** Rules have changed: keys of the features that are changed, new or gone. */
  UPDATED_FEATURE: readonly Key[];
  /** The rules could not be loaded or read: the message. */
  ERROR: string;
  /** A feature was evaluated: fires within each call of {@link Client.evaluate}. */
  EVALUATION: EvaluationEvent<Key>;
}

/** Name of an event. */
export type EventName = keyof EventArguments;

/** Names of the events, for {@link Client.on}. */
export type Events = { readonly [Name in EventName]: Name };

/** A listener of an event. `This` is the type of `bindContext`. */
export type Listener<Argument, This = undefined> = (this: This, argument: Argument) => void;

/** A client: evaluates the rules of one environment in this process. Its methods never throw. */
export interface Client<Key extends string = string> {
  /**
   * Evaluates a feature for a user, and fires EVALUATION.
   *
   * @example
   * if (client.evaluate("checkout", { id: "ada" }).isOn()) checkout();
   */
  evaluate(featureKey: Key, user?: User | null): Evaluation;
  /** Evaluates all features of the rules and the defaults for a user. Fires no EVALUATION event. */
  evaluateAll(user?: User | null): Features<Key>;
  /**
   * Evaluates the features for the browser client's `bootstrap` setting, so that the page starts with what the server
   * rendered. `undefined` until there are rules: the page then uses its own fallback. Fires no EVALUATION event.
   */
  bootstrap(user?: User | null): Features<Key> | undefined;
  /** Reports for experiments that a user reached a goal, with their current variants. */
  goal(goalKey: string, user?: User | null): void;
  /**
   * Resolves when the first attempt to load the rules has ended: to true if there are rules, from the service or the file.
   * Never rejects.
   */
  ready(): Promise<boolean>;
  /**
   * Subscribes to an event. No event fires before `init` has returned. Errors that listeners throw are logged, and those that
   * async listeners reject with.
   */
  on<Name extends EventName, This = undefined>(
    event: Name,
    callback: Listener<EventArguments<Key>[Name], This>,
    bindContext?: This,
  ): void;
  /**
   * Unsubscribes from an event.
   *
   * @param callback The function that was given to `on`. Without one, all listeners of the event are removed.
   */
  off<Name extends EventName>(
    event: Name,
    // biome-ignore lint/suspicious/noExplicitAny: any `bindContext` may have been given.
    callback?: Listener<EventArguments<Key>[Name], any>,
  ): void;
  /**
   * Closes the client. It still evaluates, but receives no more changes and no longer keeps the process alive. Resolves
   * when it has tried once more to send the queued goals and counts of evaluations, and {@link Config.file} has the last known rules.
   */
  close(): Promise<void>;
}

/** A request, or the text of its `Cookie` header. */
export type CookieSource =
  | string
  | null
  | undefined
  | { readonly headers: { readonly cookie?: string | undefined } | { get(name: string): string | null } };

/** Options for the cookie of an anonymous visitor. */
export interface CookieOptions {
  /** Whether to send the cookie over HTTPS only. Set it if the site uses HTTPS. */
  readonly secure?: boolean | undefined;
}

/** The default export. */
export interface FlagServiceStatic {
  /**
   * Starts a client.
   *
   * @example
   * const client = FlagService.init(serverKey, { baseUrl: "https://flags.example.com" });
   * await client.ready();
   *
   * @param serverKey Server key of an environment. Keep it secret.
   * @throws TypeError if serverKey is missing, blank or not a string. It never throws for another reason.
   */
  init<Key extends string = string>(serverKey: string, config?: Config<NoInfer<Key>> | null): Client<Key>;
  /** Names of the events. */
  readonly events: Events;
  /** The id of an anonymous visitor from the browser client's cookie; `undefined` if it is missing or damaged. */
  anonymousId(source: CookieSource): string | undefined;
  /** Creates an id for a new anonymous visitor. */
  newAnonymousId(): string;
  /**
   * The `Set-Cookie` header that gives the browser client the id of an anonymous visitor.
   *
   * @param id From `newAnonymousId` or `anonymousId`.
   * @throws TypeError if it is anything else, which could add headers or attributes of its own.
   */
  anonymousCookie(id: string, options?: CookieOptions): string;
}

/** See {@link FlagServiceStatic.init}. */
export declare const init: FlagServiceStatic["init"];
/** See {@link FlagServiceStatic.anonymousId}. */
export declare const anonymousId: FlagServiceStatic["anonymousId"];
/** See {@link FlagServiceStatic.newAnonymousId}. */
export declare const newAnonymousId: FlagServiceStatic["newAnonymousId"];
/** See {@link FlagServiceStatic.anonymousCookie}. */
export declare const anonymousCookie: FlagServiceStatic["anonymousCookie"];

/** The Node SDK of Flag Service. Exported as default and by name. */
export declare const FlagService: FlagServiceStatic;
export default FlagService;
