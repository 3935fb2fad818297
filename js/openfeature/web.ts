// The provider for pages, based on the browser client.

import type { EvaluationContext, JsonValue, ResolutionDetails } from "@openfeature/core";
import { OpenFeatureEventEmitter, type Provider, ProviderEvents } from "@openfeature/web-sdk";
import { type Client, type Config, type CurrentUser, type Features, FlagService } from "flagservice-client";
import type { FlagServiceWebProvider as Published } from "./public-web.js";
import { notReady, resolution, type Type } from "./resolution.js";
import { toUser } from "./user.js";

const NO_FEATURES = "The features of this user are not loaded yet; serving defaults. If this lasts, see the console.";

/** Resolves features for the user of the context. */
export class FlagServiceWebProvider implements Provider, Published {
  readonly runsOn = "client";
  readonly metadata = { name: "flagservice-openfeature-web" };
  readonly events = new OpenFeatureEventEmitter();
  readonly #start: (context: EvaluationContext | undefined) => Client;
  readonly #ownsClient: boolean;
  readonly #hasBootstrap: boolean;
  #client: Client | undefined;
  /** All features of the client. Undefined after a change, until they are read again. */
  #features: Features | undefined;
  /** The client's user when the features were read. */
  #user: CurrentUser | undefined;
  /** Whether the last event told the SDK that features may be outdated or missing. */
  #degraded = false;
  /** Those who wait for the load that has started last, whose user is the current one. */
  #waiting: ((error: string | undefined) => void)[] = [];
  /** Whether the user has features of the service, the cache or bootstrap. */
  #known = false;
  /** Whether `initialize` waits for the user that it started with, who may have features in the cache. */
  #initializing = false;
  /** The features of the cache or bootstrap with which `initialize` resolved, until the first load ends. */
  #cached: Features | undefined;

  constructor(keyOrClient: string | Client, config?: Config | null) {
    const given = typeof keyOrClient === "object" ? keyOrClient : undefined;
    const key = typeof keyOrClient === "string" ? keyOrClient : "";
    // A missing key is a programming error, so fail in the constructor.
    if (!given && !key.trim()) throw new TypeError("FlagServiceWebProvider needs a client key or a client.");
    this.#ownsClient = !given;
    this.#hasBootstrap = !given && config?.bootstrap != null;
    this.#start = (context) => given ?? FlagService.init(key, toUser(context), config);
  }

  async initialize(context?: EvaluationContext): Promise<void> {
    const client = this.#start(context);
    this.#client = client;
    client.on("INIT", this.#onInit);
    client.on("UPDATED_FEATURE", this.#onUpdated);
    client.on("LOADED_FROM_CACHE", this.#onLoadedFromCache);
    client.on("ERROR", this.#onError);
    if (this.#hasBootstrap) {
      this.#known = true;
      this.#cached = this.#readFeatures();
      return;
    }
    this.#initializing = this.#ownsClient;
    const error = this.#ownsClient
      ? await this.#waitForLoad()
      : await this.#waitForLoad(() => client.updateUser(toUser(context), this.#loadEnded));
    if (error === undefined) return;
    if (!this.#hasFeatures()) {
      this.#degraded = true;
      throw new Error(error);
    }
    // Serve the known features. Emit Stale after the SDK has set the provider to ready.
    setTimeout(() => this.#client === client && this.#emitStale(error));
  }

  async onContextChange(_previous: EvaluationContext, context: EvaluationContext): Promise<void> {
    const client = this.#client;
    if (!client) return;
    // Until the next user's features are known, those of the previous one are served.
    this.#readFeatures();
    // These belong to the previous user.
    this.#cached = undefined;
    this.#known = false;
    this.#initializing = false;
    const error = await this.#waitForLoad(() => client.updateUser(toUser(context), this.#loadEnded));
    if (error === undefined) return;
    this.#degraded = true;
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
    // A provider may be set again, for another user.
    this.#client = undefined;
    this.#features = undefined;
    this.#user = undefined;
    this.#cached = undefined;
    this.#known = false;
    this.#degraded = false;
    this.#finishLoad();
    if (!client) return;
    client.off("INIT", this.#onInit);
    client.off("UPDATED_FEATURE", this.#onUpdated);
    client.off("LOADED_FROM_CACHE", this.#onLoadedFromCache);
    client.off("ERROR", this.#onError);
    if (this.#ownsClient) client.close();
  }

  #resolve<T extends boolean | string | number | JsonValue>(
    key: string,
    type: Type,
    fallback: T,
  ): ResolutionDetails<T> {
    const client = this.#client;
    const features = this.#readFeatures();
    const variant = features && Object.hasOwn(features, key) ? features[key] : undefined;
    if (variant === undefined && !this.#hasFeatures()) return notReady(fallback, NO_FEATURES);
    const resolved = resolution(key, variant, type, fallback);
    // `evaluate` sends the exposure. A user who got the default was not exposed to the variant, and during a change of the context the
    // features are still those of the previous user.
    if (resolved.errorCode === undefined && client?.getUser() === this.#user) client?.evaluate(key);
    return resolved;
  }

  /** The features, which are read again after a change. */
  #readFeatures(): Features | undefined {
    if (this.#client && !this.#features) {
      this.#features = this.#client.evaluateAll();
      this.#user = this.#client.getUser();
    }
    return this.#features;
  }

  /** Resolves when a load of the current user has ended; with a message if it failed. */
  #waitForLoad(startLoad?: () => void): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      startLoad?.();
    });
  }

  /** Tells those who wait how the load has ended. */
  #finishLoad(error?: string): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#initializing = false;
    for (const resolve of waiting) resolve(error);
  }

  /** `initialize` resolves with the features of the last visit. The load then announces what changed. */
  readonly #onLoadedFromCache = (features: Features): void => {
    this.#features = undefined;
    this.#known = true;
    if (!this.#initializing) return;
    this.#cached = { ...features };
    this.#finishLoad();
  };

  /** A load has ended. If it failed, the client has already fired ERROR. */
  readonly #loadEnded = (): void => {
    this.#features = undefined;
    this.#finishLoad();
  };

  readonly #onInit = (): void => {
    this.#known = true;
    this.#loadEnded();
    this.#recover();
    this.#emitChangesSinceCache();
  };

  readonly #onUpdated = (changed: Features): void => {
    this.#features = undefined;
    this.#recover();
    this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: Object.keys(changed) });
  };

  readonly #onError = (message: string): void => {
    this.#features = undefined;
    if (this.#waiting.length > 0) this.#finishLoad(message);
    else if (this.#hasFeatures()) this.#emitStale(message);
  };

  /** Default features alone are not known ones. Whether a given client has others is not visible here. */
  #hasFeatures(): boolean {
    return this.#known || (!this.#ownsClient && Object.keys(this.#client?.evaluateAll() ?? {}).length > 0);
  }

  /** Announces what the first load changed, because the client announces changes only from the second load on. */
  #emitChangesSinceCache(): void {
    const [cached, current] = [this.#cached, this.#client?.evaluateAll()];
    this.#cached = undefined;
    if (!cached || !current) return;
    const keys = Object.keys({ ...cached, ...current });
    const changed = keys.filter((key) => cached[key] !== current[key]);
    if (changed.length > 0) this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: changed });
  }

  #emitStale(message: string): void {
    this.#degraded = true;
    this.events.emit(ProviderEvents.Stale, { message });
  }

  #recover(): void {
    if (this.#degraded) this.events.emit(ProviderEvents.Ready);
    this.#degraded = false;
  }
}
