// Evaluates features for the current user: values, EVALUATION events and exposures.

import { Evaluation } from "../shared/evaluation.js";
import type { Settings } from "./config.js";
import type { EventDispatcher } from "./event-dispatcher.js";
import { EVALUATION } from "./events.js";
import { isExposureDue } from "./exposures.js";
import type { CurrentUser, EvaluationEvent, Integration } from "./public.js";

/** Evaluates features for one client. */
export class Evaluator {
  /** Evaluations that stay valid until something changes. */
  private readonly _cache = new Map<string, Evaluation>();
  /** Keys whose EVALUATION event is being dispatched. */
  private readonly _emitting = new Set<string>();
  /** Incremented by each change. */
  private _generation = 0;
  private readonly _dispatcher: EventDispatcher;
  private readonly _value: (key: string) => string;
  _integrations: readonly Integration[];
  _user!: CurrentUser;

  constructor({ integrations }: Settings, dispatcher: EventDispatcher, value: (key: string) => string) {
    this._integrations = integrations;
    this._dispatcher = dispatcher;
    this._value = value;
  }

  _evaluate(key: string): Evaluation {
    return this._cache.get(key) ?? this._evaluateUncached(key);
  }

  /** Values, listeners or the user may have changed. */
  _invalidate(): void {
    this._cache.clear();
    this._generation += 1;
  }

  private _evaluateUncached(key: string): Evaluation {
    if (typeof key !== "string") {
      this._dispatcher._logger.warn("evaluate needs a feature key (a string).");
      return new Evaluation("off");
    }
    const generation = this._generation;
    const variant = this._value(key);
    const evaluation = new Evaluation(variant);
    let cacheable = !this._dispatcher._listeners.has(EVALUATION);
    // Read before a listener may close the client.
    const integrations = this._integrations;
    this._emit(key, variant);
    for (const integration of integrations) cacheable = this._expose(integration, key, variant) && cacheable;
    if (cacheable && generation === this._generation) this._cache.set(key, evaluation);
    return evaluation;
  }

  private _emit(key: string, variant: string): void {
    // A listener may evaluate the same feature again: that fires no second event.
    if (this._emitting.has(key)) return;
    this._emitting.add(key);
    this._dispatcher._listeners.emit(
      EVALUATION,
      (): EvaluationEvent => ({ key, variant, value: variant, user: this._user }),
    );
    this._emitting.delete(key);
  }

  /** Sends an exposure if it is due. Returns false if the next evaluation has to ask the integration again. */
  private _expose(integration: Integration, key: string, variant: string): boolean {
    const { flags } = integration;
    let decided = typeof flags !== "function";
    try {
      if (Array.isArray(flags) && !flags.includes(key)) return true;
      if (typeof flags === "function" && !flags(key)) return false;
      decided = true;
      if (isExposureDue(integration.source, this._user.id, key, variant)) {
        integration.expose({ key, variant });
      }
    } catch (error) {
      this._dispatcher._reportThrown(`${integration.name} for "${key}"`, error);
    }
    return decided;
  }
}
