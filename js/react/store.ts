// What components read of a client, and who is told when it moves.

import type { Client, Features, FlagServiceStatus } from "./public.js";

type Status = FlagServiceStatus["status"];

/** A client as components see it. Its functions stay the same as long as it is there. */
export interface Store {
  /** What `useFlagService` gives. */
  readonly client: Client;
  features(): Features;
  status(): FlagServiceStatus;
  /** What the server has rendered with. */
  renderedFeatures(): Features;
  renderedStatus(): FlagServiceStatus;
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
type Heard = keyof typeof HEARD;

/** The variant of a feature. A key such as `constructor` is a key like any other. */
export function variantOf(features: Features, key: string): string {
  return (Object.hasOwn(features, key) && features[key]) || "off";
}

function same(one: Features, other: Features): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/** A store over a client. */
export function createStore(first: Client, { make, rendered, fixed }: Origin = {}): Store {
  const is = (status: Status, hasReceivedInitialResponse: boolean, error?: string): FlagServiceStatus =>
    Object.freeze({ status, error, hasReceivedInitialResponse });
  const received = first.hasReceivedInitialResponse();
  const listeners = new Set<() => void>();
  /** How many components show a feature. */
  const shown = new Map<string, number>();
  const known = Object.freeze(first.evaluateAll());
  let actual = first;
  let features = known;
  let user = first.getUser();
  let status = is(fixed ?? (received ? "ready" : "loading"), received || fixed === "ready" || fixed === "error");
  let renderedFeatures: Features | undefined;
  const renderedStatus = fixed ? status : is("loading", false);

  const look = (): void => {
    const before = features;
    const now = actual.evaluateAll();
    if (!same(now, before)) features = Object.freeze(now);
    const nowUser = actual.getUser();
    if (nowUser === user) return;
    user = nowUser;
    // What another user sees is an exposure too. Where the variant is another one, it is sent once that is on the page.
    for (const key of shown.keys()) if (variantOf(before, key) === variantOf(features, key)) actual.evaluate(key);
  };

  const moved = (next?: Status, error?: string): void => {
    look();
    if (next && !fixed) {
      const now = is(next, actual.hasReceivedInitialResponse(), error);
      if (!same(now as never, status as never)) status = now;
    }
    for (const listener of [...listeners]) listener();
  };

  const names = Object.keys(HEARD) as Heard[];
  const ears = names.map((name) => (told: unknown) => moved(HEARD[name], name === "ERROR" ? String(told) : undefined));
  const deafen = (): void => names.forEach((name, place) => void actual.off(name, ears[place] as never));
  const listen = (): void => {
    deafen();
    names.forEach((name, place) => void actual.on(name, ears[place] as never));
  };

  /** Stands for the client that is there now, so that components hold one and the same. */
  const standIn = (): Client => {
    const methods = Object.keys(first) as (keyof Client)[];
    const call = (name: keyof Client) =>
      ((...args: never[]) => (actual[name] as (...args: never[]) => unknown)(...args)) as never;
    return {
      ...(Object.fromEntries(methods.map((name) => [name, call(name)])) as unknown as Client),
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
    features: () => features,
    status: () => status,
    renderedFeatures() {
      if (!renderedFeatures) {
        renderedFeatures = rendered?.() ?? known;
        if (same(renderedFeatures, known)) renderedFeatures = known;
      }
      return renderedFeatures;
    },
    renderedStatus: () => renderedStatus,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show(keys, variants) {
      keys.forEach((key, place) => {
        shown.set(key, (shown.get(key) ?? 0) + 1);
        // Otherwise it is about to be rendered anew.
        if (variantOf(features, key) === variants[place]) actual.evaluate(key);
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
        deafen();
        if (make) actual.close();
      };
    },
  };
}
