// The core as JavaScript uses it, whether it runs as wasm or as JavaScript.
import type { analyticsIntegration, Client, exposureIntegration, init } from "../../dist/.work/browser/core.js";
import type { Settings } from "./config.js";

/** A client of the core. */
export type CoreClient = Client;

/** A core that runs: all clients of a page share it. */
export interface Core {
  readonly init: typeof init;
  readonly analyticsIntegration: typeof analyticsIntegration;
  readonly exposureIntegration: typeof exposureIntegration;
}

/** What the shell tells the core of: `CallbackSource` in src/browser/shell.rs. */
export const TIMER = 0;
export const PAGE = 1;
export const STREAM = 2;
export const TABS = 3;

/** The statuses of a request without a response: as in src/session.rs. */
export const NO_RESPONSE = 0;
export const TIMED_OUT = 1;

// biome-ignore lint/complexity/noBannedTypes: a function of the page, of which nothing is known
type Callee = Function;

/** An instance of an analytics SDK's class. */
interface Identify {
  set(name: string, value: string): unknown;
}

/** What the core does in a page: src/browser/shell.rs. */
export interface Shell {
  _changed(features: Record<string, string> | undefined): void;
  _call(caller: string, callee: Callee, self: unknown, one: unknown, other: unknown): unknown;
  _identify(caller: string, Class: new () => Identify, name: string, value: string): unknown;
  _userProperty(name: string, value: string): object;
  _get(object: unknown, name: string): unknown;
  _parse(json: string): unknown;
  _entries(object: unknown): unknown[] | undefined;
  _remember(source: object, name: string, variant: string): number;
  _isVisible(): boolean;
  _watch(names: string): void;
  _startTimer(timer: number, ms: number): void;
  _post(path: string, body: string, keepalive: boolean, source: number, number: number): AbortController;
  _beacon(path: string, body: string): void;
  _open(path: string, names: string, number: number): EventSource | undefined;
  _joinTabs(name: string, take: boolean): void;
  _tellTabs(message: string): void;
  _storageKeys(): string[];
  _getItem(key: string): string | null | undefined;
  _setItem(key: string, value: string): void;
}

/** Where a core comes from. */
export interface CoreSource {
  /** The core, if it runs. */
  readonly _running: () => Core | undefined;
  /** Starts the core. */
  _start(): Promise<Core>;
  /** Loads the core that runs where that one does not start, for a client with these settings. */
  _loadFallback(settings: Settings): Promise<Core>;
  /** Starts the core synchronously, which blocks the page. Throws if that is not possible. */
  readonly _startSync?: (() => Core) | undefined;
}
