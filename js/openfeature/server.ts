// The provider for Node, on the Node SDK: it evaluates in the process, for whichever user a context names.

import type { EvaluationContext, JsonValue, ResolutionDetails } from "@openfeature/core";
import { OpenFeatureEventEmitter, type Provider, ProviderEvents } from "@openfeature/server-sdk";
import { type Client, type Config, FlagService } from "flagservice-node-sdk";
import type { FlagServiceServerProvider as Published } from "./public-server.js";
import { resolution, type Type } from "./resolution.js";
import { toUser } from "./user.js";

/** Somebody for whom every feature has a variant, as for everybody. */
const ANYBODY = { id: "anybody" };

/** Resolves features for the user that each context names. */
export class FlagServiceServerProvider implements Provider, Published {
  readonly runsOn = "server";
  readonly metadata = { name: "flagservice-openfeature-server" };
  readonly events = new OpenFeatureEventEmitter();
  readonly #client: Client;
  readonly #isOurs: boolean;
  /** The key of every feature that the client knows; none once something has moved. */
  #known: Set<string> | undefined;
  /** Whether there are rules: before that nothing can be stale. */
  #hasRules = false;
  /** Whether the SDK was told last that the rules may be old, or not there. */
  #lacks = false;

  constructor(keyOrClient: string | Client, config?: Config | null) {
    this.#isOurs = typeof keyOrClient === "string";
    this.#client = typeof keyOrClient === "string" ? FlagService.init(keyOrClient, config) : keyOrClient;
    this.#client.on("LOADED_FROM_CACHE", this.#moved);
    this.#client.on("INIT", this.#loaded);
    this.#client.on("UPDATED_FEATURE", this.#updated);
    this.#client.on("ERROR", this.#failed);
  }

  async initialize(): Promise<void> {
    this.#hasRules = await this.#client.ready();
    if (this.#hasRules) return;
    this.#lacks = true;
    throw new Error("The rules could not be loaded yet: defaults are served. The log says why.");
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
    this.#client.off("LOADED_FROM_CACHE", this.#moved);
    this.#client.off("INIT", this.#loaded);
    this.#client.off("UPDATED_FEATURE", this.#updated);
    this.#client.off("ERROR", this.#failed);
    if (this.#isOurs) await this.#client.close();
  }

  #resolve<T extends boolean | string | number | JsonValue>(
    key: string,
    type: Type,
    fallback: T,
    context: EvaluationContext,
  ): ResolutionDetails<T> {
    this.#known ??= new Set(Object.keys(this.#client.evaluateAll(ANYBODY)));
    const variant = this.#known.has(key) ? this.#client.evaluate(key, toUser(context)).value() : undefined;
    return resolution(key, variant, type, fallback);
  }

  readonly #moved = (): void => {
    this.#known = undefined;
  };

  readonly #loaded = (): void => {
    this.#known = undefined;
    this.#hasRules = true;
    this.#recovers();
  };

  readonly #updated = (changed: readonly string[]): void => {
    this.#known = undefined;
    this.#recovers();
    this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...changed] });
  };

  readonly #failed = (message: string): void => {
    if (!this.#hasRules) return;
    this.#lacks = true;
    this.events.emit(ProviderEvents.Stale, { message });
  };

  #recovers(): void {
    if (this.#lacks) this.events.emit(ProviderEvents.Ready);
    this.#lacks = false;
  }
}
