// Whether the server can be reached. While it can't, queries wait; they resume when it responds again.
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

const PROBE_URL = "/health/live";
const PROBE_INTERVAL_MS = 3_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Call it when a request got no response. */
export function reportUnreachable(): void {
  onlineManager.setOnline(false);
  timer ??= setTimeout(probe, PROBE_INTERVAL_MS);
}

/** Checks now whether the server is back. */
export async function probe(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  try {
    await fetch(PROBE_URL, { cache: "no-store" });
    onlineManager.setOnline(true);
  } catch {
    reportUnreachable();
  }
}

/** Whether the last request got a response. */
export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}
