// The public types of flagservice-openfeature-server, as they are published.

import type { EvaluationContext, JsonValue, Provider, ResolutionDetails } from "@openfeature/server-sdk";
import { OpenFeatureEventEmitter } from "@openfeature/server-sdk";
import type { Client, Config } from "flagservice-node-sdk";

/**
 * The provider for Node: it evaluates in the process. The context's `targetingKey` is the user's id, everything else in it
 * an attribute. Every variant resolves as a string, `on` and `off` also as booleans.
 *
 * @example
 * await OpenFeature.setProviderAndWait(new FlagServiceServerProvider(serverKey, { baseUrl }));
 * const checkout = await OpenFeature.getClient().getBooleanValue("checkout", false, { targetingKey: "ada" });
 */
export declare class FlagServiceServerProvider implements Provider {
  /**
   * A provider with a client of its own.
   *
   * @param serverKey Server key of an environment. It is secret.
   * @param config Settings of the Node SDK, such as `baseUrl`.
   * @throws TypeError when serverKey is blank.
   */
  constructor(serverKey: string, config?: Config | null);
  /** A provider on a client that goes on without it. */
  constructor(client: Client);
  /** It is for services. */
  readonly runsOn: "server";
  /** Its name, for hooks and logs. */
  readonly metadata: { readonly name: string };
  /** Tells OpenFeature when features have changed. */
  readonly events: OpenFeatureEventEmitter;
  /** Resolves when there are rules, from the service or from the file; rejects when the first attempt found none. */
  initialize(): Promise<void>;
  /** OpenFeature is done with it: a client of its own is closed. */
  onClose(): Promise<void>;
  /** `on` is true and `off` is false; every other variant: TYPE_MISMATCH. */
  resolveBooleanEvaluation(
    key: string,
    fallback: boolean,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>>;
  /** The variant. A key that nobody knows: FLAG_NOT_FOUND, as for every type. */
  resolveStringEvaluation(
    key: string,
    fallback: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<string>>;
  /** There are no numbers: TYPE_MISMATCH. */
  resolveNumberEvaluation(
    key: string,
    fallback: number,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<number>>;
  /** There are no objects: TYPE_MISMATCH. */
  resolveObjectEvaluation<T extends JsonValue>(
    key: string,
    fallback: T,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>>;
  /** The context's user has reached the goal of that key. Details of the event have no place in a goal. */
  track(name: string, context: EvaluationContext): void;
}
