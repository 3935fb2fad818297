// The rules in force: what the service has sent, compiled, and what they give a user.

import { Evaluation } from "../shared/evaluation.js";
import { mayReplace } from "./since.js";
import type { KnownUser } from "./users.js";
import type { Wasm, WasmFeature } from "./wasm.js";

/** Rules as the service sends them. */
export interface SentRules {
  readonly since: string;
  readonly features: readonly unknown[];
}

/** One feature. */
interface Rule {
  readonly feature: WasmFeature;
  /** As it was sent. */
  readonly text: string;
  /** By the place of their variants. */
  readonly evaluations: readonly Evaluation[];
}

/** Who entered the wasm last, as a text: it is one for all clients of the process. */
let entered = "";

/** The rules of one environment. */
export class Rules {
  private readonly _wasm: Wasm;
  private readonly _failed: (message: string, error: unknown) => void;
  private _features = new Map<string, Rule>();
  private _since: string | undefined;

  constructor(wasm: Wasm, failed: (message: string, error: unknown) => void) {
    this._wasm = wasm;
    this._failed = failed;
  }

  /** The point that they stand for; none before there are any. */
  get since(): string | undefined {
    return this._since;
  }

  get keys(): string[] {
    return [...this._features.keys()];
  }

  /** What the user gets of a feature; nothing of one that is unknown. */
  evaluate(key: string, user: KnownUser, now: number): Evaluation | undefined {
    const rule = this._features.get(key);
    if (rule === undefined) return undefined;
    if (entered !== user.text) {
      this._wasm.enter(user.text);
      entered = user.text;
    }
    return rule.evaluations[rule.feature.place(now)];
  }

  /** Replaces all rules. The keys of the features that are others than before; none when the rules are older. */
  put({ since, features }: SentRules): string[] | undefined {
    if (!mayReplace(since, this._since)) return undefined;
    const known = this._features;
    this._features = new Map();
    this._since = since;
    const changed: string[] = [];
    for (const feature of features) {
      const key = keyOf(feature);
      const rule = key === undefined ? undefined : known.get(key);
      if (key !== undefined && rule?.text === JSON.stringify(feature)) {
        this._features.set(key, rule);
        known.delete(key);
      } else if (key === undefined || this._add(key, feature)) {
        if (key !== undefined) changed.push(key);
      }
    }
    for (const [key, rule] of known) {
      if (!changed.includes(key)) changed.push(key);
      rule.feature.free();
    }
    return changed;
  }

  /** Takes changes over. The keys of the features that are others than before; none when the changes are older. */
  patch(since: string, features: readonly unknown[], gone: readonly unknown[]): string[] | undefined {
    if (!mayReplace(since, this._since)) return undefined;
    this._since = since;
    const changed: string[] = [];
    for (const key of gone) if (this._remove(String(key))) changed.push(String(key));
    for (const feature of features) {
      const key = keyOf(feature);
      if (key === undefined) continue;
      const before = this._remove(key);
      if (this._add(key, feature) || before) changed.push(key);
    }
    return changed;
  }

  /** The rules are those of another point, too. */
  isCurrentAt(since: string): void {
    if (mayReplace(since, this._since)) this._since = since;
  }

  /** All rules as JSON. */
  toText(): string {
    const features = Array.from(this._features.values(), ({ text }) => text);
    return `{"since":${JSON.stringify(this._since)},"features":[${features.join(",")}]}`;
  }

  private _add(key: string, sent: unknown): boolean {
    try {
      const feature = new this._wasm.Feature(sent);
      const evaluations = feature.variants().map((variant) => new Evaluation(variant));
      this._features.set(key, { feature, text: JSON.stringify(sent), evaluations });
      return true;
    } catch (error) {
      this._failed(
        `The rules of "${key}" cannot be read, a newer release may be needed: its default is served.`,
        error,
      );
      return false;
    }
  }

  private _remove(key: string): boolean {
    const rule = this._features.get(key);
    rule?.feature.free();
    return this._features.delete(key);
  }
}

function keyOf(feature: unknown): string | undefined {
  const key = (feature as { key?: unknown } | null)?.key;
  return typeof key === "string" ? key : undefined;
}

/** Rules in a text of the service or of a file; nothing when they have another shape. */
export function readRules(text: string): SentRules | undefined {
  const rules = parsed(text) as Partial<SentRules> | undefined;
  return typeof rules?.since === "string" && Array.isArray(rules.features) ? (rules as SentRules) : undefined;
}

/** Changes in a text of the service; nothing when they have another shape. */
export function readChanges(text: string): { features: readonly unknown[]; gone: readonly unknown[] } | undefined {
  const changes = parsed(text) as { features?: unknown; gone?: unknown } | undefined;
  const { features, gone } = changes ?? {};
  return Array.isArray(features) && Array.isArray(gone) ? { features, gone } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
