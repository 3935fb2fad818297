// The provider for Node, based on the Node SDK: it evaluates in the process.

import type { EvaluationContext, JsonValue, ResolutionDetails } from "@openfeature/core";
import { OpenFeatureEventEmitter, type Provider, ProviderEvents } from "@openfeature/server-sdk";
import { type Client, type Config, FlagService } from "flagservice-node-sdk";
import { EVALUATE_IF_SHOWN, type EvaluatesIfShown } from "../shared/evaluate-if-shown.js";
import { WATCH_OUTAGES, type WatchesOutages } from "../shared/watch-outages.js";
import type { FlagServiceServerProvider as Published } from "./public-server.js";
import { hasValue, notReady, resolution, type Type } from "./resolution.js";
import { toUser, type User } from "./user.js";

/** Used to list the features, which are the same for every user. */
const ANY_USER = { id: "anybody" };

const NO_RULES = "The rules could not be loaded yet; serving defaults. See the log for the reason.";

/** The SDK's client. One that an application wraps may only have the published methods. */
type AnyClient = Client & Partial<EvaluatesIfShown<User> & WatchesOutages>;

/** Resolves features for the user of each context. */
export class FlagServiceServerProvider implements Provider, Published {
  readonly runsOn = "server";
  readonly metadata = { name: "flagservice-openfeature-server" };
  readonly events = new OpenFeatureEventEmitter();
  readonly #ownsClient: boolean;
  readonly #start: () => AnyClient;
  /** Stays when the provider is closed: until the process ends, the last known rules are used. */
  #client: AnyClient;
  #isClosed = false;
  /** The keys of all features. Undefined after a change, until they are read again. */
  #keys: Set<string> | undefined;
  /** Why the service is unavailable; undefined if it is not. */
  #outage: string | undefined;
  /** Whether the last event told the SDK that rules may be outdated or missing. */
  #degraded = false;
  /** Whether the SDK takes the provider for ready. Until then nothing can be stale. */
  #isReady = false;
  #stopWatching: (() => void) | undefined;

  constructor(keyOrClient: string | Client, config?: Config | null) {
    const given = typeof keyOrClient === "object" ? keyOrClient : undefined;
    this.#ownsClient = !given;
    // Without a client, as when a variable of the environment is not set, `init` throws what it needs.
    this.#start = () => given ?? FlagService.init(keyOrClient as string, config);
    this.#client = this.#start();
    this.#listen();
  }

  async initialize(): Promise<void> {
    // A provider may be set again after the SDK has closed it.
    if (this.#isClosed) this.#reopen();
    const client = this.#client;
    // A client that an application has started earlier may have loaded the rules after its first attempt.
    const hasRules = (await client.ready()) || client.bootstrap(ANY_USER) !== undefined;
    const isCurrent = (): boolean => !this.#isClosed && client === this.#client;
    if (!hasRules) {
      if (isCurrent()) this.#degraded = true;
      throw new Error(NO_RULES);
    }
    // Emit Stale after the SDK has set the provider to ready.
    setTimeout(() => {
      if (!isCurrent()) return;
      this.#isReady = true;
      this.#emitStale();
    });
  }

  async resolveBooleanEvaluation(
    key: string,
    fallback: boolean,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>> {
    return this.#resolve(key, "boolean", fallback, context);
  }

  async resolveStringEvaluation(
    key: string,
    fallback: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<string>> {
    return this.#resolve(key, "string", fallback, context);
  }

  async resolveNumberEvaluation(
    key: string,
    fallback: number,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<number>> {
    return this.#resolve(key, "number", fallback, context);
  }

  async resolveObjectEvaluation<T extends JsonValue>(
    key: string,
    fallback: T,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    return this.#resolve(key, "object", fallback, context);
  }

  track(name: string, context: EvaluationContext): void {
    this.#client.goal(name, toUser(context));
  }

  async onClose(): Promise<void> {
    this.#isClosed = true;
    this.#client.off("LOADED_FROM_CACHE", this.#onLoadedFromCache);
    this.#client.off("INIT", this.#onInit);
    this.#client.off("UPDATED_FEATURE", this.#onUpdated);
    this.#stopWatching?.();
    if (this.#ownsClient) await this.#client.close();
  }

  /** Begins again as a new provider does. */
  #reopen(): void {
    this.#isClosed = false;
    this.#keys = undefined;
    this.#outage = undefined;
    this.#degraded = false;
    this.#isReady = false;
    this.#client = this.#start();
    this.#listen();
  }

  #listen(): void {
    this.#client.on("LOADED_FROM_CACHE", this.#onLoadedFromCache);
    this.#client.on("INIT", this.#onInit);
    this.#client.on("UPDATED_FEATURE", this.#onUpdated);
    this.#stopWatching = this.#client[WATCH_OUTAGES]?.(this.#onOutage);
  }

  #resolve<T extends boolean | string | number | JsonValue>(
    key: string,
    type: Type,
    fallback: T,
    context: EvaluationContext,
  ): ResolutionDetails<T> {
    this.#keys ??= new Set(Object.keys(this.#client.evaluateAll(ANY_USER)));
    if (!this.#keys.has(key)) {
      return this.#lacksRules() ? notReady(fallback, NO_RULES) : resolution(key, undefined, type, fallback);
    }
    const user = toUser(context);
    // A user who gets the default takes no part in an experiment.
    const variant =
      this.#client[EVALUATE_IF_SHOWN]?.(key, user, (variant) => hasValue(variant, type)) ??
      this.#client.evaluate(key, user).value();
    return resolution(key, variant, type, fallback);
  }

  /** Whether the first load has failed, and none has succeeded since. */
  #lacksRules(): boolean {
    return this.#degraded && !this.#isReady;
  }

  readonly #onLoadedFromCache = (): void => {
    this.#keys = undefined;
  };

  readonly #onInit = (): void => {
    this.#keys = undefined;
    this.#recover();
  };

  readonly #onUpdated = (changed: readonly string[]): void => {
    this.#keys = undefined;
    this.#recover();
    this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...changed] });
  };

  readonly #onOutage = (outage: string | undefined): void => {
    this.#outage = outage;
    if (outage === undefined) this.#recover();
    else this.#emitStale();
  };

  #emitStale(): void {
    if (!this.#isReady || this.#outage === undefined) return;
    this.#degraded = true;
    this.events.emit(ProviderEvents.Stale, { message: this.#outage });
  }

  /** The service has sent or confirmed the rules. */
  #recover(): void {
    if (!this.#degraded) return;
    this.#degraded = false;
    this.#isReady = true;
    this.events.emit(ProviderEvents.Ready);
  }
}
