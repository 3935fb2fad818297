// Answers without the wasm, where it is refused or has failed: from what the page and the last visit know.

import { toEntries, toText } from "../shared/features.js";
import type { Core } from "./core.js";

const ANONYMOUS_ID = "flagservice-anonymous-id";
const PREFIX = "anonymous:";

/** What the answers are made of; maps as texts. */
export interface Known {
  readonly apiKey: string;
  /** The page's local storage may be used. */
  readonly stores: boolean;
  readonly defaults: string;
  readonly bootstrap: string | undefined;
  /** Features as a core had them last for the user who is entered first. */
  readonly features: string | undefined;
}

/** A core that answers. It can load nothing and send no goals: `entered` and `missed` hear of users and goals. */
export function standby(
  { apiKey, stores, defaults, bootstrap, features }: Known,
  entered: () => void,
  missed: (goal: string) => void,
): Core {
  let given = features ?? bootstrap;
  let anonymousId: string | undefined;
  let id = "";
  let sources: Map<string, string>[] = [];

  const stored = (key: string): string | null => {
    try {
      return stores ? localStorage.getItem(key) : null;
    } catch {
      return null;
    }
  };
  const resetAnonymousId = (): string => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    anonymousId = PREFIX + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      if (stores) localStorage.setItem(ANONYMOUS_ID, anonymousId);
    } catch {
      // Kept for as long as the page lives.
    }
    return anonymousId;
  };
  const currentAnonymousId = (): string => {
    const kept = anonymousId ?? stored(ANONYMOUS_ID);
    return kept && /^anonymous:[0-9a-f]{32}$/.test(kept) ? kept : resetAnonymousId();
  };
  const enter = (named: string | null | undefined, attributes: string | null | undefined): string => {
    id = named ?? currentAnonymousId();
    const best = given ?? cached(stored(cacheKey(apiKey, id, attributes)));
    given = undefined;
    sources = [best, defaults].map((source) => new Map(toEntries(source ?? "")));
    return id;
  };

  const all = (): Map<string, string> => new Map([...sources].reverse().flatMap((source) => [...source]));
  return {
    value: (key) => sources.find((source) => source.has(key))?.get(key) ?? "off",
    features: (everything) => flat((!everything && sources.find((source) => source.size > 0)) || all()),
    isExposureDue: (ledger, key, variant) => {
      const entry = `${id.length}:${id}${key.length}:${key}${variant}`;
      return !ledger.has(entry) && !!ledger.add(entry);
    },
    enter,
    anonymousId: (renewed) => (renewed ? resetAnonymousId() : currentAnonymousId()),
    goal: missed,
    returned: entered,
    close: () => {},
    free: () => {},
  };
}

function flat(features: Map<string, string>): string {
  return [...features].flat().join("\0");
}

/** The core's key of a user's cache entry: FNV-1a of id and attributes. */
function cacheKey(apiKey: string, id: string, attributes: string | null | undefined): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${id}\0${attributes ?? ""}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return `flagservice:v1:${apiKey}:${hash.toString(16).padStart(16, "0")}`;
}

function cached(entry: string | null): string | undefined {
  try {
    return toText(JSON.parse(entry ?? "").features, () => {}, false);
  } catch {
    return undefined;
  }
}
