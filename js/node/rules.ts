// The rules in force: compiled features and the variants that they give users.

import { Evaluation } from "../shared/evaluation.js";
import { mayReplace } from "./known-version.js";
import type { UserSnapshot } from "./users.js";
import type { Wasm, WasmFeature } from "./wasm.js";

/** Rules as the service sends them. */
export interface RulesMessage {
  readonly since: string;
  readonly features: readonly unknown[];
}

/** Changes of rules as the service sends them. */
interface ChangesMessage {
  readonly features: readonly unknown[];
  readonly gone: readonly unknown[];
}

/** One feature. */
interface Feature {
  readonly compiled: WasmFeature;
  /** As the service sent it. */
  readonly json: string;
  /** By the index of their variants. */
  readonly evaluations: readonly Evaluation[];
  /** Whether an experiment runs with it. */
  readonly hasExperiment: boolean;
}

/** Gets what a participation says: the feature, with the number of the user's segment if there is one, the variant and the user's id. */
export type OnParticipation = (feature: string, variant: string, userId: string) => void;

/** The user whom the wasm has, as JSON. All clients of the process share the wasm. */
let userInWasm = "";

/** The rules of one environment. */
export class Rules {
  private readonly _wasm: Wasm;
  private readonly _onError: (message: string, error: unknown) => void;
  private _features = new Map<string, Feature>();
  private _since: string | undefined;

  constructor(wasm: Wasm, onError: (message: string, error: unknown) => void) {
    this._wasm = wasm;
    this._onError = onError;
  }

  /** The known version; undefined until there are rules. */
  get since(): string | undefined {
    return this._since;
  }

  get keys(): string[] {
    return [...this._features.keys()];
  }

  /** The user's variant of a feature; undefined if the feature is unknown. */
  evaluate(key: string, user: UserSnapshot, now: number, onParticipation?: OnParticipation): Evaluation | undefined {
    const feature = this._features.get(key);
    if (feature === undefined) return undefined;
    if (userInWasm !== user.json) {
      this._wasm.setUser(user.json);
      userInWasm = user.json;
    }
    const evaluation = feature.evaluations[feature.compiled.variantIndex(now)];
    if (feature.hasExperiment && onParticipation && evaluation) {
      const entry = feature.compiled.experimentEntry(now);
      if (entry !== undefined) onParticipation(entry, evaluation.value(), user.id);
    }
    return evaluation;
  }

  /** Replaces all rules. Returns the keys of the changed features, or undefined if the rules are older than the known ones. */
  put({ since, features }: RulesMessage): string[] | undefined {
    if (!mayReplace(since, this._since)) return undefined;
    const previous = this._features;
    this._features = new Map();
    this._since = since;
    const changed = new Set<string>();
    for (const message of features) {
      const key = keyOf(message);
      const feature = key === undefined ? undefined : previous.get(key);
      if (key !== undefined && feature?.json === JSON.stringify(message)) {
        this._features.set(key, feature);
        previous.delete(key);
      } else if (key === undefined || this._add(key, message)) {
        if (key !== undefined) changed.add(key);
      }
    }
    for (const [key, feature] of previous) {
      changed.add(key);
      feature.compiled.free();
    }
    return [...changed];
  }

  /** Applies changes. Returns the keys of the changed features, or undefined if the changes are older than the known rules. */
  patch(since: string, features: readonly unknown[], gone: readonly unknown[]): string[] | undefined {
    if (!mayReplace(since, this._since)) return undefined;
    this._since = since;
    const changed = new Set<string>();
    for (const key of gone) if (this._remove(String(key))) changed.add(String(key));
    for (const message of features) {
      const key = keyOf(message);
      if (key === undefined) continue;
      const removed = this._remove(key);
      if (this._add(key, message) || removed) changed.add(key);
    }
    return [...changed];
  }

  /** Records that the rules are also those of this version. */
  confirm(since: string): void {
    if (mayReplace(since, this._since)) this._since = since;
  }

  /** All rules as JSON. */
  toJson(): string {
    const features = Array.from(this._features.values(), ({ json }) => json);
    return `{"since":${JSON.stringify(this._since)},"features":[${features.join(",")}]}`;
  }

  private _add(key: string, message: unknown): boolean {
    try {
      const compiled = new this._wasm.Feature(message);
      const evaluations = compiled.variants().map((variant) => new Evaluation(variant));
      const hasExperiment = compiled.hasExperiment();
      this._features.set(key, { compiled, json: JSON.stringify(message), evaluations, hasExperiment });
      return true;
    } catch (error) {
      this._onError(`Cannot read the rules of "${key}"; serving its default. You may need a newer SDK.`, error);
      return false;
    }
  }

  private _remove(key: string): boolean {
    const feature = this._features.get(key);
    feature?.compiled.free();
    return this._features.delete(key);
  }
}

function keyOf(feature: unknown): string | undefined {
  const key = (feature as { key?: unknown } | null)?.key;
  return typeof key === "string" ? key : undefined;
}

/** Parses rules from the service or a file. Returns undefined if the text is something else. */
export function parseRules(text: string): RulesMessage | undefined {
  const rules = parseJson(text) as Partial<RulesMessage> | undefined;
  return typeof rules?.since === "string" && Array.isArray(rules.features) ? (rules as RulesMessage) : undefined;
}

/** Parses changes from the service. Returns undefined if the text is something else. */
export function parseChanges(text: string): ChangesMessage | undefined {
  const { features, gone } = (parseJson(text) as Partial<ChangesMessage> | undefined) ?? {};
  return Array.isArray(features) && Array.isArray(gone) ? { features, gone } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
