// Evaluates features for users: from the rules in force, else from the defaults.

import { Evaluation } from "../shared/evaluation.js";
import { type Features, toObject } from "../shared/features.js";
import type { OnParticipation, Rules } from "./rules.js";
import type { UserSnapshot } from "./users.js";

export const OFF = new Evaluation("off");

/** The evaluations of one client. */
export class Evaluator {
  private readonly _rules: Rules | undefined;
  private readonly _defaults: ReadonlyMap<string, Evaluation>;
  private readonly _defaultVariants: Readonly<Record<string, string>>;
  private readonly _onError: (message: string, error: unknown) => void;

  constructor(rules: Rules | undefined, defaults: Features, onError: (message: string, error: unknown) => void) {
    this._rules = rules;
    this._defaults = new Map(Array.from(defaults, ([key, variant]) => [key, new Evaluation(variant)]));
    this._defaultVariants = toObject(defaults);
    this._onError = onError;
  }

  evaluate(key: string, user: UserSnapshot, onParticipation?: OnParticipation): Evaluation {
    return this._byRules(key, user, onParticipation) ?? this._defaults.get(key) ?? OFF;
  }

  /** The user's variant of each feature that the rules or the defaults have. */
  variants(user: UserSnapshot): Record<string, string> {
    return { ...this._defaultVariants, ...this.variantsByRules(user) };
  }

  /** The user's variant of each feature that the rules have. */
  variantsByRules(user: UserSnapshot): Record<string, string> {
    const variants: [string, string][] = [];
    for (const key of this._rules?.keys ?? []) {
      const evaluation = this._byRules(key, user);
      if (evaluation) variants.push([key, evaluation.value()]);
    }
    return Object.fromEntries(variants);
  }

  private _byRules(key: string, user: UserSnapshot, onParticipation?: OnParticipation): Evaluation | undefined {
    try {
      return this._rules?.evaluate(key, user, Date.now(), onParticipation);
    } catch (error) {
      this._onError(`Cannot evaluate "${key}"; serving its default.`, error);
      return undefined;
    }
  }
}
