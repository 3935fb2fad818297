// The core as the shell uses it, whether it runs as wasm or as JavaScript.
import type { Client } from "../../dist/.work/browser/core.js";
import { type Features, fromText, toText } from "../shared/features.js";

/** A user as the core sees them. */
export interface UserSnapshot {
  readonly id: string;
  /** JSON of the attributes. */
  readonly attributes: string | undefined;
  /** Name of the cache entry. */
  readonly entry: string;
  /** The user's features as the page knows them. */
  readonly bootstrap: Features | undefined;
  /** The user's features in the cache entry. */
  readonly cached: Features | undefined;
}

/** Decides everything about one user at a time. */
export interface Core {
  /** `init` or `updateUser`. */
  _setUser(user: UserSnapshot): void;
  /** The caller of `init` or `updateUser` has finished and has had time to add listeners. */
  _callerSettled(): void;
  /** The value of a feature. */
  _value(key: string): string;
  /** The current evaluated features, or with `all` every feature known from any source, each with its value. */
  _features(all: boolean): Record<string, string>;
  /** Records a goal and sends it. */
  _goal(key: string): void;
  /** Closes the stream, cancels requests and timers, and removes the page's listeners. */
  _close(): void;
}

/** The class of the Rust clients. */
export type CoreClass = typeof Client;

/** A core that runs in Rust. Maps are passed to it as strings. */
export function rustCore(client: Client): Core {
  return {
    _setUser: ({ id, attributes, entry, bootstrap, cached }) =>
      client.setUser(id, attributes, entry, toText(bootstrap), toText(cached)),
    _callerSettled: () => client.callerSettled(),
    _value: (key) => client.value(key),
    _features: (all) => fromText(client.features(all)),
    _goal: (key) => client.goal(key),
    _close() {
      client.close();
      // Later, because the core may be calling a listener right now.
      queueMicrotask(() => client.free());
    },
  };
}

/** What a core needs from JavaScript. */
export interface Shell {
  /** Dispatches an event, given by its number. */
  emit(event: number, text: string): void;
  /** A function that passes these two numbers and its argument to `onCallback`. */
  callback(source: number, detail: number): (value?: unknown) => void;
  /** Encodes a map from the service as a string; `undefined` if it is not a map. */
  encode(features: unknown, changes: boolean): string | undefined;
}

/** Where cores come from. */
export interface CoreSource {
  /** The class, if it is loaded. */
  readonly _loaded: () => CoreClass | undefined;
  /** Loads the class. `report` logs why the preferred build cannot be used. */
  _load(report: (message: string, error: unknown) => void): Promise<CoreClass>;
  /** Loads the class synchronously, which blocks the page. Throws if that is not possible. */
  readonly _loadSync?: (() => CoreClass) | undefined;
}

/** The events of a core, by number. The last one ends a load, and calls the callbacks of `updateUser`. */
export const CORE_EVENTS = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "LOAD_ENDED"] as const;
export type CoreEvent = (typeof CORE_EVENTS)[number];
