// The core as the shell sees it, whatever it is made of, and how a shell learns that it has failed.
import type { Client } from "../../dist/.work/browser/core.js";
import { type Features, fromText, toText } from "../shared/features.js";

/** A user, as a core is told of one. */
export interface Entering {
  readonly id: string;
  /** The JSON text of the attributes. */
  readonly attributes: string | undefined;
  /** The name of the cache entry. */
  readonly entry: string;
  /** What the page knows of the user's features. */
  readonly bootstrap: Features | undefined;
  /** What the cache entry knows of them. */
  readonly cached: Features | undefined;
}

/** What decides: asked by the shell, about one user at a time. */
export interface Core {
  /** `init` or `updateUser`. */
  enter(user: Entering): void;
  /** The caller of `init` or `updateUser` is done, and has had the time to listen. */
  returned(): void;
  /** The value of a feature. */
  value(key: string): string;
  /** The evaluated features in force, or all that are known from anywhere, each with its value. */
  features(all: boolean): Record<string, string>;
  /** Takes up a goal. */
  goal(key: string): void;
  /** Ends everything. */
  close(): void;
}

/** Makes cores that listen and load. */
export type CoreClass = typeof Client;

/** A core of Rust. Maps cross to it as texts. */
export function overClient(client: Client): Core {
  return {
    enter: ({ id, attributes, entry, bootstrap, cached }) =>
      client.enter(id, attributes, entry, toText(bootstrap), toText(cached)),
    returned: () => client.returned(),
    value: (key) => client.value(key),
    features: (all) => fromText(client.features(all)),
    goal: (key) => client.goal(key),
    close() {
      client.close();
      // Not at once: it may be what calls, by way of a listener.
      queueMicrotask(() => client.free());
    },
  };
}

/** What a core asks of the shell. */
export interface Shell {
  /** Tells the listeners of an event, by its number. */
  emit(event: number, text: string): void;
  /** A function that hands its argument to `heard`, after these two numbers. */
  ear(source: number, detail: number): (value?: unknown) => void;
  /** A map from the service or the cache as one text; `undefined` when it is none. */
  flat(features: unknown, changes: boolean): string | undefined;
}

/** Where cores come from. */
export interface CoreSource {
  /** The class of cores, where it is there. */
  now(): CoreClass | undefined;
  /** The class, once it is there. `say` tells the page's logger what stands in the way of the usual one. */
  later(say: (message: string, error: unknown) => void): Promise<CoreClass>;
  /** The class, however long the page then stands still. Throws where that is not possible. */
  readonly atOnce?: (() => CoreClass) | undefined;
}

/** The events of a core, by number. The last is the end of a load, which callbacks of `updateUser` wait for. */
export const CORE_EVENTS = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "LOAD_ENDED"] as const;
export type CoreEvent = (typeof CORE_EVENTS)[number];

type Export = (...args: unknown[]) => unknown;
type Trapped = (error: unknown) => void;

/** Those who want to know of a trap, for as long as they live. */
const clients = new Set<WeakRef<Trapped>>();

/** From now on calls `trapped` when a core has failed within a call, whoever called it: none can be asked any more. */
export function watch(trapped: Trapped): void {
  for (const client of clients) if (!client.deref()) clients.delete(client);
  clients.add(new WeakRef(trapped));
}

/** Exports that tell of a trap instead of throwing it at the page, which may have called from anywhere. */
export function guarded(exports: WebAssembly.Exports): WebAssembly.Exports {
  const guard =
    (call: Export): Export =>
    (...args) => {
      try {
        return call(...args);
      } catch (error) {
        for (const client of clients) client.deref()?.(error);
        return 0;
      }
    };
  const entries = Object.entries(exports).map(([name, value]) => [
    name,
    typeof value === "function" ? guard(value as Export) : value,
  ]);
  return Object.fromEntries(entries);
}
