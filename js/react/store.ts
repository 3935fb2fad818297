// What components read of a client, and who is told when it moves.

import type { Client, Features, FlagServiceStatus } from "./public.js";

type Status = FlagServiceStatus["status"];

/** What there is to read at one time. What has not moved stays the same object. */
export interface View {
  readonly features: Features;
  readonly status: FlagServiceStatus;
}

/** A client as components see it. */
export interface Store {
  /** What `useFlagService` gives: the same as long as the store is. */
  readonly client: Client;
  now(): View;
  /** What the server has rendered with. */
  rendered(): View;
  subscribe(listener: () => void): () => void;
  /** Variants of features are on the page, until the function that it returns is called. */
  show(keys: readonly string[], variants: readonly string[]): () => void;
  /** The provider is mounted, until the function that it returns is called. */
  begin(): () => void;
}

/** How a store differs from one over a client that is there already. */
export interface Origin {
  /** Makes the client that takes the place of the first one, and is closed in the end. */
  readonly make?: () => Client;
  /** What the server has rendered with; unless given, what the first client knows. */
  readonly rendered?: (() => Features) | undefined;
  /** The status, for ever. */
  readonly fixed?: Status;
}

/** To which status an event leads; an update leaves it as it is. */
const HEARD = { LOADED_FROM_CACHE: "cached", INIT: "ready", ERROR: "error", UPDATED_FEATURE: undefined } as const;

/** The variant of a feature. A key such as `constructor` is a key like any other. */
export function variantOf(features: Features, key: string): string {
  return (Object.hasOwn(features, key) ? features[key] : undefined) ?? "off";
}

/** The one there was, unless the new one differs. */
function kept<Map extends object>(before: Map, now: Map): Map {
  const keys = Object.keys(now) as (keyof Map)[];
  const same = keys.length === Object.keys(before).length && keys.every((key) => now[key] === before[key]);
  return same ? before : Object.freeze(now);
}

const state = (status: Status, received: boolean, error?: string): FlagServiceStatus => ({
  status,
  error,
  hasReceivedInitialResponse: received,
});

/** A store over a client. */
export function createStore(first: Client, { make, rendered, fixed }: Origin = {}): Store {
  const received = first.hasReceivedInitialResponse();
  const known: View = {
    features: Object.freeze(first.evaluateAll()),
    status: fixed ? state(fixed, fixed === "ready" || fixed === "error") : state("loading", false),
  };
  const listeners = new Set<() => void>();
  /** How many components show a feature. */
  const shown = new Map<string, number>();
  let actual = first;
  let user = first.getUser();
  let now: View = received && !fixed ? { ...known, status: state("ready", true) } : known;
  let server: View | undefined;

  const look = (next?: Status, error?: string): void => {
    const before = now.features;
    const features = kept(before, actual.evaluateAll());
    const status = state(next ?? "loading", actual.hasReceivedInitialResponse(), error);
    now = kept(now, { features, status: next && !fixed ? kept(now.status, status) : now.status });
    const nowUser = actual.getUser();
    if (nowUser === user) return;
    user = nowUser;
    // What another user sees is an exposure too. Where the variant is another one, it is sent once that is on the page.
    for (const key of shown.keys()) if (variantOf(before, key) === variantOf(features, key)) actual.evaluate(key);
  };

  const moved = (next?: Status, error?: string): void => {
    look(next, error);
    for (const listener of [...listeners]) listener();
  };

  const ears = Object.entries(HEARD).map(
    ([name, next]) => [name, (told: unknown) => moved(next, next === "error" ? String(told) : undefined)] as const,
  );
  const each = (what: "on" | "off"): void => {
    for (const ear of ears) (actual[what] as (...ear: unknown[]) => void)(...ear);
  };
  const listen = (): void => {
    each("off");
    each("on");
  };

  /** Stands for the client that is there now, so that components hold one and the same. */
  const standIn = (): Client => {
    const call =
      (name: string) =>
      (...args: unknown[]): unknown =>
        (actual as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
    return {
      ...(Object.fromEntries(Object.keys(first).map((name) => [name, call(name)])) as unknown as Client),
      updateUser(user, callback) {
        actual.updateUser(user, callback);
        moved("loading");
      },
      off(event, callback) {
        actual.off(event, callback);
        // All listeners of the event are gone, and components still want to know.
        if (!callback) listen();
      },
    };
  };

  return {
    client: make ? standIn() : first,
    now: () => now,
    rendered() {
      server ??= rendered ? { ...known, features: kept(known.features, { ...rendered() }) } : known;
      return server;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show(keys, variants) {
      keys.forEach((key, place) => {
        shown.set(key, (shown.get(key) ?? 0) + 1);
        // Otherwise it is about to be rendered anew.
        if (variantOf(now.features, key) === variants[place]) actual.evaluate(key);
      });
      return () => {
        for (const key of keys) {
          const others = (shown.get(key) ?? 1) - 1;
          if (others) shown.set(key, others);
          else shown.delete(key);
        }
      };
    },
    begin() {
      if (make) actual = make();
      listen();
      // Nobody is told: components look again when they subscribe.
      look();
      return () => {
        each("off");
        if (make) actual.close();
      };
    },
  };
}
