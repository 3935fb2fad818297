// The core as the shell sees it, whatever it is made of, and how a shell learns that it has failed.
import type { Client } from "../../dist/.work/browser/core.js";

/** What the page has asked of a core by calling the shell. */
export type Core = Omit<Client, "heard" | symbol>;

/** Makes cores that listen and load. */
export type CoreClass = new (...args: ConstructorParameters<typeof Client>) => Core & Pick<Client, "heard">;

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
  /** `now` will not throw. */
  readonly ready?: boolean;
  /** At once. Throws when that is not possible. */
  now(): CoreClass;
  /** Later, when `now` has thrown. `say` tells the page's logger what stands in the way of the usual one. */
  later?(say: (message: string, error: unknown) => void): Promise<CoreClass>;
  /** What is said, with the reason, when there is none at once: one time, and nothing where that is how it should be. */
  refused?: string;
}

/** Said once, where the host refuses wasm. */
export const REFUSED =
  "WebAssembly does not run here. Features come from bootstrap, cache and defaults until the build without it is there.";

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
