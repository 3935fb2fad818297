// The public types of flagservice-openfeature-web, as they are published.

import type { EvaluationContext, JsonValue, Provider, ResolutionDetails } from "@openfeature/web-sdk";
import { OpenFeatureEventEmitter } from "@openfeature/web-sdk";
import type { Client, Config } from "flagservice-client";

/**
 * The provider for pages. The context's `targetingKey` is the user's id, everything else an attribute. Every variant
 * resolves as a string; `on` and `off` also resolve as booleans.
 *
 * @example
 * OpenFeature.setProvider(new FlagServiceWebProvider("js-your-key"), { targetingKey: "ada" });
 * const client = OpenFeature.getClient();
 * client.addHandler(ProviderEvents.Ready, () => {
 *   if (client.getBooleanValue("checkout", false)) showCheckout();
 * });
 */
export declare class FlagServiceWebProvider implements Provider {
  /**
   * Creates a provider with its own client.
   *
   * @param clientKey Client key of an environment.
   * @param config Settings of the browser client, such as `baseUrl` and `integrations`.
   * @throws TypeError if clientKey is missing or blank.
   */
  constructor(clientKey: string, config?: Config | null);
  /** Creates a provider that uses an existing client and does not close it. It sets the client's user from the context. */
  constructor(client: Client);
  /** The provider is for pages. */
  readonly runsOn: "client";
  /** The provider's name, for hooks and logs. */
  readonly metadata: { readonly name: string };
  /** Notifies OpenFeature of changes. */
  readonly events: OpenFeatureEventEmitter;
  /**
   * Resolves when the user's features are loaded or known from the cache or bootstrap. Rejects if the load fails and none are known. A
   * provider that was closed begins again: one with a key gets a new client.
   */
  initialize(context?: EvaluationContext): Promise<void>;
  /**
   * Sets the client's user from the context. Resolves when their features are loaded; rejects if the load fails. If another change
   * follows before that, both wait for the last one.
   */
  onContextChange(previous: EvaluationContext, context: EvaluationContext): Promise<void>;
  /** Closes the provider's own client. */
  onClose(): Promise<void>;
  /** `on` is true and `off` is false. Other variants: TYPE_MISMATCH. */
  resolveBooleanEvaluation(key: string, fallback: boolean): ResolutionDetails<boolean>;
  /** The variant. As for every type, an unknown key is FLAG_NOT_FOUND, or PROVIDER_NOT_READY while no features of the user are known. */
  resolveStringEvaluation(key: string, fallback: string): ResolutionDetails<string>;
  /** Always TYPE_MISMATCH: variants are not numbers. */
  resolveNumberEvaluation(key: string, fallback: number): ResolutionDetails<number>;
  /** Always TYPE_MISMATCH: variants are not objects. */
  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T): ResolutionDetails<T>;
  /** Reports that the user reached the goal with this key. Details of the event are dropped. */
  track(name: string): void;
}
