// The public types of flagservice-openfeature-web, as they are published.

import type { EvaluationContext, JsonValue, Provider, ResolutionDetails } from "@openfeature/web-sdk";
import { OpenFeatureEventEmitter } from "@openfeature/web-sdk";
import type { Client, Config } from "flagservice-client";

/**
 * The provider for pages. The context's `targetingKey` is the user's id, everything else in it an attribute. Every variant
 * resolves as a string, `on` and `off` also as booleans.
 *
 * @example
 * await OpenFeature.setProviderAndWait(new FlagServiceWebProvider("js-your-key"), { targetingKey: "ada" });
 * if (OpenFeature.getClient().getBooleanValue("checkout", false)) showCheckout();
 */
export declare class FlagServiceWebProvider implements Provider {
  /**
   * A provider with a client of its own.
   *
   * @param clientKey Client key of an environment.
   * @param config Settings of the browser client, such as `baseUrl` and `integrations`.
   * @throws TypeError when clientKey is blank.
   */
  constructor(clientKey: string, config?: Config | null);
  /** A provider on a client that goes on without it. The user of the context becomes the client's. */
  constructor(client: Client);
  /** It is for pages. */
  readonly runsOn: "client";
  /** Its name, for hooks and logs. */
  readonly metadata: { readonly name: string };
  /** Tells OpenFeature when features have changed. */
  readonly events: OpenFeatureEventEmitter;
  /** Resolves when the features of the context's user are there; rejects when they could not be had and nothing is known. */
  initialize(context?: EvaluationContext): Promise<void>;
  /** Makes the context's user the client's; resolves when that user's features are there, rejects when they could not be had. */
  onContextChange(before: EvaluationContext, context: EvaluationContext): Promise<void>;
  /** OpenFeature is done with it: a client of its own is closed. */
  onClose(): Promise<void>;
  /** `on` is true and `off` is false; every other variant: TYPE_MISMATCH. */
  resolveBooleanEvaluation(key: string, fallback: boolean): ResolutionDetails<boolean>;
  /** The variant. A key that nobody knows: FLAG_NOT_FOUND, as for every type. */
  resolveStringEvaluation(key: string, fallback: string): ResolutionDetails<string>;
  /** There are no numbers: TYPE_MISMATCH. */
  resolveNumberEvaluation(key: string, fallback: number): ResolutionDetails<number>;
  /** There are no objects: TYPE_MISMATCH. */
  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T): ResolutionDetails<T>;
  /** The user has reached the goal of that key. Details of the event have no place in a goal. */
  track(name: string): void;
}
