// The provider for pages, on the browser client: it answers at once, and changes in realtime.

import type { EvaluationContext, JsonValue, ResolutionDetails } from "@openfeature/core";
import { OpenFeatureEventEmitter, type Provider, ProviderEvents } from "@openfeature/web-sdk";
import { type Client, type Config, type Features, FlagService } from "flagservice-client";
import type { FlagServiceWebProvider as Published } from "./public-web.js";
import { resolution, type Type } from "./resolution.js";
import { toUser } from "./user.js";

/** Resolves features for the user that the context names. */
export class FlagServiceWebProvider implements Provider, Published {
  readonly runsOn = "client";
  readonly metadata = { name: "flagservice-openfeature-web" };
  readonly events = new OpenFeatureEventEmitter();
  readonly #start: (context: EvaluationContext | undefined) => Client;
  readonly #isOurs: boolean;
  #client: Client | undefined;
  /** Every feature that the client knows; none once something has moved. */
  #known: Features | undefined;
  /** Whether the SDK was told last that the features may be old, or not there. */
  #lacks = false;
  #settle: ((error?: string) => void) | undefined;
  /** Whether the first load is waited for. */
  #begins = false;
  /** What the SDK has gone on with, before the first load has ended. */
  #cached: Features | undefined;

  constructor(keyOrClient: string | Client, config?: Config | null) {
    this.#isOurs = typeof keyOrClient === "string";
    this.#start = (context) =>
      typeof keyOrClient === "string" ? FlagService.init(keyOrClient, toUser(context), config) : keyOrClient;
    // A key that cannot be one is an error of the program, told where it is.
    if (typeof keyOrClient === "string" && !keyOrClient.trim()) {
      throw new TypeError("FlagServiceWebProvider needs a client key, or a client.");
    }
  }

  async initialize(context?: EvaluationContext): Promise<void> {
    const client = this.#start(context);
    this.#client = client;
    client.on("INIT", this.#loaded);
    client.on("UPDATED_FEATURE", this.#updated);
    client.on("LOADED_FROM_CACHE", this.#found);
    client.on("ERROR", this.#failed);
    this.#begins = this.#isOurs;
    const error = this.#isOurs
      ? await this.#ended()
      : await this.#ended(() => client.updateUser(toUser(context), this.#over));
    this.#begins = false;
    if (error === undefined) return;
    if (!this.#knowsAnything()) {
      this.#lacks = true;
      throw new Error(error);
    }
    // It answers from what it knows. That the SDK hears after it has heard that the provider is ready.
    setTimeout(() => this.#becomesStale(error));
  }

  async onContextChange(_before: EvaluationContext, context: EvaluationContext): Promise<void> {
    const client = this.#client;
    if (!client) return;
    // What the user before had in the cache says nothing of this one's changes.
    this.#cached = undefined;
    const error = await this.#ended(() => client.updateUser(toUser(context), this.#over));
    if (error === undefined) return;
    this.#lacks = true;
    throw new Error(error);
  }

  resolveBooleanEvaluation(key: string, fallback: boolean): ResolutionDetails<boolean> {
    return this.#resolve(key, "boolean", fallback);
  }

  resolveStringEvaluation(key: string, fallback: string): ResolutionDetails<string> {
    return this.#resolve(key, "string", fallback);
  }

  resolveNumberEvaluation(key: string, fallback: number): ResolutionDetails<number> {
    return this.#resolve(key, "number", fallback);
  }

  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T): ResolutionDetails<T> {
    return this.#resolve(key, "object", fallback);
  }

  track(name: string): void {
    this.#client?.goal(name);
  }

  async onClose(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#settle?.();
    if (!client) return;
    client.off("INIT", this.#loaded);
    client.off("UPDATED_FEATURE", this.#updated);
    client.off("LOADED_FROM_CACHE", this.#found);
    client.off("ERROR", this.#failed);
    if (this.#isOurs) client.close();
  }

  #resolve<T extends boolean | string | number | JsonValue>(
    key: string,
    type: Type,
    fallback: T,
  ): ResolutionDetails<T> {
    const client = this.#client;
    if (client) this.#known ??= client.evaluateAll();
    const known = this.#known;
    const resolved = resolution(key, known && Object.hasOwn(known, key) ? known[key] : undefined, type, fallback);
    // Whoever got another value than the variant's has not seen it.
    if (resolved.errorCode === undefined) client?.evaluate(key);
    return resolved;
  }

  /** Resolves once a load has ended, with what went wrong; at once when another one begins. */
  #ended(begin?: () => void): Promise<string | undefined> {
    this.#settle?.();
    return new Promise((resolve) => {
      this.#settle = (error) => {
        this.#settle = undefined;
        resolve(error);
      };
      begin?.();
    });
  }

  /** Features of the last visit are there: with the first of them the SDK goes on, and the load moves what it changes. */
  readonly #found = (features: Features): void => {
    this.#known = undefined;
    if (!this.#begins) return;
    this.#cached = { ...features };
    this.#settle?.();
  };

  /** A load has ended; a failure was told before. */
  readonly #over = (): void => {
    this.#known = undefined;
    this.#settle?.();
  };

  readonly #loaded = (): void => {
    this.#over();
    this.#recovers();
    this.#tellWhatMoved();
  };

  readonly #updated = (changed: Features): void => {
    this.#known = undefined;
    this.#recovers();
    this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: Object.keys(changed) });
  };

  readonly #failed = (message: string): void => {
    this.#known = undefined;
    if (this.#settle) this.#settle(message);
    else if (this.#knowsAnything()) this.#becomesStale(message);
  };

  #knowsAnything(): boolean {
    return this.#client !== undefined && Object.keys(this.#client.evaluateAll()).length > 0;
  }

  /** The client tells what a load has changed only where it had a load before. */
  #tellWhatMoved(): void {
    const [before, now] = [this.#cached, this.#client?.evaluateAll()];
    this.#cached = undefined;
    if (!before || !now) return;
    const keys = Object.keys({ ...before, ...now });
    const changed = keys.filter((key) => before[key] !== now[key]);
    if (changed.length > 0) this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: changed });
  }

  #becomesStale(message: string): void {
    this.#lacks = true;
    this.events.emit(ProviderEvents.Stale, { message });
  }

  #recovers(): void {
    if (this.#lacks) this.events.emit(ProviderEvents.Ready);
    this.#lacks = false;
  }
}
