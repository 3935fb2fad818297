// The public types of flagservice-openfeature-server, as they are published.

import type { EvaluationContext, JsonValue, Provider, ResolutionDetails } from "@openfeature/server-sdk";
import { OpenFeatureEventEmitter } from "@openfeature/server-sdk";
import type { Client, Config } from "flagservice-node-sdk";

/**
 * The provider for Node, which evaluates in the process. The context's `targetingKey` is the user's id, everything else an
 * attribute. Every variant resolves as a string; `on` and `off` also resolve as booleans.
 *
 * @example
 * await OpenFeature.setProviderAndWait(new FlagServiceServerProvider(serverKey, { baseUrl })).catch(console.error);
 * const checkout = await OpenFeature.getClient().getBooleanValue("checkout", false, { targetingKey: "ada" });
 */
export declare class FlagServiceServerProvider implements Provider {
  /**
   * Creates a provider with its own client.
   *
   * @param serverKey Server key of an environment. Keep it secret.
   * @param config Settings of the Node SDK, such as `baseUrl`.
   * @throws TypeError if serverKey is missing or blank.
   */
  constructor(serverKey: string, config?: Config | null);
  /** Creates a provider that uses an existing client and does not close it. */
  constructor(client: Client);
  /** The provider is for services. */
  readonly runsOn: "server";
  /** The provider's name, for hooks and logs. */
  readonly metadata: { readonly name: string };
  /** Notifies OpenFeature of changes. */
  readonly events: OpenFeatureEventEmitter;
  /**
   * Resolves when there are rules, from the service or the file. Rejects if there are none after the first attempt to load. A provider
   * that was closed begins again: one with a key gets a new client.
   */
  initialize(): Promise<void>;
  /** Closes the provider's own client. Until the provider is initialized again, its last known rules are used. */
  onClose(): Promise<void>;
  /** `on` is true and `off` is false. Other variants: TYPE_MISMATCH. */
  resolveBooleanEvaluation(
    key: string,
    fallback: boolean,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>>;
  /** The variant. As for every type, an unknown key is FLAG_NOT_FOUND, or PROVIDER_NOT_READY while there are no rules. */
  resolveStringEvaluation(
    key: string,
    fallback: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<string>>;
  /** Always TYPE_MISMATCH: variants are not numbers. */
  resolveNumberEvaluation(
    key: string,
    fallback: number,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<number>>;
  /** Always TYPE_MISMATCH: variants are not objects. */
  resolveObjectEvaluation<T extends JsonValue>(
    key: string,
    fallback: T,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>>;
  /** Reports that the context's user reached the goal with this key. Details of the event are dropped. */
  track(name: string, context: EvaluationContext): void;
}
