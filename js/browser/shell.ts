// What the core does in a page: one function for each thing. Nothing here throws, and nothing is decided.

import { attempt } from "../shared/attempt.js";
import { type CoreClient, NO_RESPONSE, PAGE, type Shell, STREAM, TABS, TIMED_OUT, TIMER } from "./core.js";
import { remember } from "./ledger.js";
import type { Logger } from "./public.js";
import * as storage from "./storage.js";
import { tabsOf } from "./tabs.js";

/** The shell of one client. `client` returns the client of the core, if it runs; `changed` is as in `Shell`. */
export function shellOf(
  client: () => CoreClient | undefined,
  changed: Shell["_changed"],
  address: string,
  logger: Logger,
): Shell {
  const watching = new AbortController();
  const tabs = tabsOf((index, message) => tell(TABS, 0, index, message));
  const timers: Record<number, ReturnType<typeof setTimeout>> = {};
  const tell = (source: number, number: number, index: number, one?: unknown, other?: unknown): void =>
    client()?._onCallback(source, number, index, one, other, Date.now(), Math.random());
  const ofPage = <Result>(caller: string, call: () => Result): Result | undefined =>
    attempt(call, (error) => logger.error(`${caller} threw an error.`, error));
  return {
    _changed: changed,
    _call: (caller, callee, self, one, other) =>
      ofPage(caller, () => (other === undefined ? callee.call(self, one) : callee.call(self, one, other))),
    _identify: (caller, Class, name, value) => ofPage(caller, () => new Class().set(name, value)),
    _userProperty: (name, value) => ({ getUserProperties: () => ({ $set: { [name]: value } }) }),
    _get: (object, name) => attempt(() => (object as Record<string, unknown>)[name]),
    _parse: (json) => attempt(() => JSON.parse(json)),
    _entries: (object) => (object instanceof Object ? Object.entries(object).flat() : undefined),
    _remember: remember,
    _isVisible: () => globalThis.document?.visibilityState !== "hidden",
    // For the capture phase, in which the window also gets the events of its document, and of elements, which have a longer path.
    _watch(names) {
      if (!names) return watching.abort();
      listen(window, names, (index, event) => event.composedPath()[2] || tell(PAGE, 0, index), {
        capture: true,
        signal: watching.signal,
      });
    },
    _startTimer(timer, ms) {
      clearTimeout(timers[timer]);
      if (ms >= 0) timers[timer] = setTimeout(() => tell(TIMER, 0, timer), ms);
    },
    _post: (path, body, keepalive, source, number) =>
      post(address + path, body, keepalive, (status, text) => tell(source, number, status, text)),
    // A browser that has no beacons or refuses one this large sends nothing.
    _beacon: (path, body) => attempt(() => navigator.sendBeacon(address + path, body)),
    _open: (path, names, number) =>
      attempt(() => {
        const source = new EventSource(address + path);
        listen(source, names, (index, { data, lastEventId }) => tell(STREAM, number, index, data, lastEventId));
        return source;
      }),
    _joinTabs: (name, take) => tabs._join(name && address + name, take),
    _tellTabs: tabs._tell,
    _storageKeys: storage.keys,
    _getItem: storage.get,
    _setItem: storage.set,
  };
}

/** Listens to events of these names, separated by spaces. `tell` gets the index of the name. */
function listen(
  target: EventTarget,
  names: string,
  tell: (index: number, event: MessageEvent) => unknown,
  options?: AddEventListenerOptions,
): void {
  names.split(" ").forEach((name, index) => {
    target.addEventListener(name, (event) => tell(index, event as MessageEvent), options);
  });
}

/** Sends a text, which needs no preflight, and passes the response on: its status and its text. */
function post(
  url: string,
  body: string,
  keepalive: boolean,
  tell: (status: number, text?: string) => void,
): AbortController {
  // One that takes longer is aborted: a browser has few connections to a service, and goals wait for the request before them.
  const TIMEOUT_MS = 10_000;
  const controller = new AbortController();
  let failure = NO_RESPONSE;
  const timeout = setTimeout(() => {
    failure = TIMED_OUT;
    controller.abort();
  }, TIMEOUT_MS);
  const respond = async (): Promise<void> => {
    const response = await fetch(url, {
      method: "POST",
      credentials: "omit",
      body,
      keepalive,
      signal: controller.signal,
    });
    tell(response.status, await response.text());
  };
  respond()
    .catch(() => tell(failure))
    .finally(() => clearTimeout(timeout));
  return controller;
}
