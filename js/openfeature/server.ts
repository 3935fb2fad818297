// The provider for Node, based on the Node SDK: it evaluates in the process.

import type { EvaluationContext, JsonValue, ResolutionDetails } from "@openfeature/core";
import { OpenFeatureEventEmitter, type Provider, ProviderEvents } from "@openfeature/server-sdk";
import { type Client, type Config, FlagService } from "flagservice-node-sdk";
import { EVALUATE_IF_SHOWN, type EvaluatesIfShown } from "../shared/evaluate-if-shown.js";
import type { FlagServiceServerProvider as Published } from "./public-server.js";
import { hasValue, resolution, type Type } from "./resolution.js";
import { toUser, type User } from "./user.js";

/** Used to list the features, which are the same for every user. */
const ANY_USER = { id: "anybody" };

/** Resolves features for the user of each context. */
export class FlagServiceServerProvider implements Provider, Published {
  readonly runsOn = "server";
  readonly metadata = { name: "flagservice-openfeature-server" };
  readonly events = new OpenFeatureEventEmitter();
  readonly #client: Client & Partial<EvaluatesIfShown<User>>;
  readonly #ownsClient: boolean;
  /** The keys of all features. Undefined after a change, until they are read again. */
  #keys: Set<string> | undefined;
  /** Whether there are rules. Until then nothing can be stale. */
  #hasRules = false;
  /** Whether the last event told the SDK that rules may be outdated or missing. */
  #degraded = false;

  constructor(keyOrClient: string | Client, config?: Config | null) {
    this.#ownsClient = typeof keyOrClient === "string";
    const client = typeof keyOrClient === "string" ? FlagService.init(keyOrClient, config) : keyOrClient;
    this.#client = client as Client & Partial<EvaluatesIfShown<User>>;
    this.#client.on("LOADED_FROM_CACHE", this.#onLoadedFromCache);
    this.#client.on("INIT", this.#onInit);
    this.#client.on("UPDATED_FEATURE", this.#onUpdated);
    this.#client.on("ERROR", this.#onError);
  }

  async initialize(): Promise<void> {
    this.#hasRules = await this.#client.ready();
    if (this.#hasRules) return;
    this.#degraded = true;
    throw new Error("The rules could not be loaded yet; serving defaults. See the log for the reason.");
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
    this.#client.off("LOADED_FROM_CACHE", this.#onLoadedFromCache);
    this.#client.off("INIT", this.#onInit);
    this.#client.off("UPDATED_FEATURE", this.#onUpdated);
    this.#client.off("ERROR", this.#onError);
    if (this.#ownsClient) await this.#client.close();
  }

  #resolve<T extends boolean | string | number | JsonValue>(
    key: string,
    type: Type,
    fallback: T,
    context: EvaluationContext,
  ): ResolutionDetails<T> {
    this.#keys ??= new Set(Object.keys(this.#client.evaluateAll(ANY_USER)));
    if (!this.#keys.has(key)) return resolution(key, undefined, type, fallback);
    const user = toUser(context);
    // A user who gets the default takes no part in an experiment. A client that an application wraps may only have the published methods.
    const variant =
      this.#client[EVALUATE_IF_SHOWN]?.(key, user, (variant) => hasValue(variant, type)) ??
      this.#client.evaluate(key, user).value();
    return resolution(key, variant, type, fallback);
  }

  readonly #onLoadedFromCache = (): void => {
    this.#keys = undefined;
  };

  readonly #onInit = (): void => {
    this.#keys = undefined;
    this.#hasRules = true;
    this.#recover();
  };

  readonly #onUpdated = (changed: readonly string[]): void => {
    this.#keys = undefined;
    this.#recover();
    this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...changed] });
  };

  readonly #onError = (message: string): void => {
    if (!this.#hasRules) return;
    this.#degraded = true;
    this.events.emit(ProviderEvents.Stale, { message });
  };

  #recover(): void {
    if (this.#degraded) this.events.emit(ProviderEvents.Ready);
    this.#degraded = false;
  }
}
