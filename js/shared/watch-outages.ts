// How our OpenFeature provider learns of outages from the Node SDK's client, besides the published methods.

/** The name of the method, which is the same in both packages. */
export const WATCH_OUTAGES: unique symbol = Symbol.for("flagservice.watchOutages");

/** Gets why the service is unavailable; undefined when a load has succeeded again. */
export type OnOutage = (outage: string | undefined) => void;

/** The type of the method. */
export interface WatchesOutages {
  /** Reports the outage that there is, and the begin and end of each later one, until the returned function is called. */
  [WATCH_OUTAGES](onOutage: OnOutage): () => void;
}
