// Test events under way, and what became of them. They take up to 25 s, and so outlive the page that sent them.
import { useEffect, useSyncExternalStore } from "react";
import { type Outcome, useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { toast } from "../../parts/feedback/toast.js";
import { DELIVERIES, INTEGRATION, INTEGRATIONS, type Integration } from "./integrations.js";

export type TestEvent =
  | { state: "sending" }
  | { state: "over"; success: boolean; detail: string; at: string | undefined };

const events = new Map<string, TestEvent>();
const listeners = new Set<() => void>();
/** The connections that are on the page: they show the outcome themselves. */
const shown = new Map<string, number>();

function become(id: string, event: TestEvent | undefined): void {
  if (event) events.set(id, event);
  else events.delete(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function outcomeOf(outcome: Outcome<Integration>): TestEvent {
  if (outcome.kind === "done") {
    const { lastDeliverySuccess, lastDeliveryDetail, lastDeliveryAt } = outcome.value;
    const detail = lastDeliveryDetail ?? "";
    return { state: "over", success: lastDeliverySuccess === true, detail, at: lastDeliveryAt ?? undefined };
  }
  const detail = outcome.kind === "approvalRequested" ? "It waits for an approval." : outcome.problem.detail;
  return { state: "over", success: false, detail, at: undefined };
}

export function useTestEvent(id: string): { event: TestEvent | undefined; send: () => void; forget: () => void } {
  const event = useSyncExternalStore(subscribe, () => events.get(id));
  const change = useChange(
    () => client.POST("/api/v1/admin/integrations/outbound/{id}/test", { params: { path: { id } } }),
    { refresh: [[INTEGRATIONS], [INTEGRATION], [DELIVERIES]] },
  );
  useEffect(() => {
    shown.set(id, (shown.get(id) ?? 0) + 1);
    return () => void shown.set(id, (shown.get(id) ?? 1) - 1);
  }, [id]);

  const send = async () => {
    become(id, { state: "sending" });
    const over = outcomeOf(await change.run(undefined));
    become(id, over);
    if (over.state !== "over" || shown.get(id)) return;
    toast({
      tone: over.success ? "good" : "bad",
      text: over.success ? `The test event was delivered: ${over.detail}` : `The test event failed: ${over.detail}`,
      link: { href: `/integrations/${id}`, label: "See the connection" },
    });
  };
  return { event, send: () => void send(), forget: () => become(id, undefined) };
}
