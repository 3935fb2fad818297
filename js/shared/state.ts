// What our React client uses of the browser client, besides the published methods.

/** The name of the method, which is the same in both packages. */
export const STATE: unique symbol = Symbol.for("flagservice.state");

/** What no published method tells those who come after the events. */
export type State = readonly [
  /** What a client with the same settings evaluates on a server, where there is no cache: its bootstrap and its defaults. */
  rendered: Record<string, string>,
  /** Whether the service has sent features for the current user. */
  received: boolean,
  /** Whether the load of the current user has ended, successfully or not. */
  hasEnded?: boolean,
];

/** The type of the method. */
export interface HasState {
  [STATE](): State;
}
