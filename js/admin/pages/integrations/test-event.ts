// Test events and their results. They take up to 25 s, so they continue when the person leaves the page.
import { useEffect, useSyncExternalStore } from "react";
import { type Outcome, useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { problemText } from "../../api/problem.js";
import { toast } from "../../parts/feedback/toast.js";
import { DELIVERIES, INTEGRATION, INTEGRATIONS, type Integration } from "./integrations.js";

export type TestEvent =
  | { state: "sending" }
  | { state: "finished"; success: boolean; detail: string; at: string | undefined };

const events = new Map<string, TestEvent>();
const listeners = new Set<() => void>();
/** How often each connection is on the page, where it shows the result itself. */
const mounted = new Map<string, number>();

function setEvent(id: string, event: TestEvent | undefined): void {
  if (event) events.set(id, event);
  else events.delete(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function resultOf(outcome: Outcome<Integration>): TestEvent & { state: "finished" } {
  if (outcome.kind === "done") {
    const { lastDeliverySuccess, lastDeliveryDetail, lastDeliveryAt } = outcome.value;
    const detail = lastDeliveryDetail ?? "";
    return { state: "finished", success: lastDeliverySuccess === true, detail, at: lastDeliveryAt ?? undefined };
  }
  const detail = outcome.kind === "approvalRequested" ? "It needs approval." : problemText(outcome.problem);
  return { state: "finished", success: false, detail, at: undefined };
}

interface TestEventControls {
  event: TestEvent | undefined;
  send: () => void;
  dismiss: () => void;
}

export function useTestEvent(id: string): TestEventControls {
  const event = useSyncExternalStore(subscribe, () => events.get(id));
  const change = useChange(
    () => client.POST("/api/v1/admin/integrations/outbound/{id}/test", { params: { path: { id } } }),
    { refresh: [[INTEGRATIONS], [INTEGRATION], [DELIVERIES]] },
  );
  useEffect(() => {
    mounted.set(id, (mounted.get(id) ?? 0) + 1);
    return () => void mounted.set(id, (mounted.get(id) ?? 1) - 1);
  }, [id]);

  const send = async () => {
    setEvent(id, { state: "sending" });
    const result = resultOf(await change.run(undefined));
    setEvent(id, result);
    if (mounted.get(id)) return;
    toast({
      tone: result.success ? "good" : "bad",
      text: `${result.success ? "The test event was delivered" : "The test event failed"}: ${result.detail}`,
      link: { href: `/integrations/${id}`, label: "View connection" },
    });
  };
  return { event, send: () => void send(), dismiss: () => setEvent(id, undefined) };
}
