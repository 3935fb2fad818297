// The types of connections, in the words of the page.
import type { Integration } from "./integrations.js";

export type Kind = Integration["type"];

interface KindWords {
  /** As a title. */
  name: string;
  /** In a sentence: `the webhook connection`. */
  noun: string;
  connect: string;
  connected: string;
  /** What stays after the connection is deleted. */
  afterDeletion: string;
}

export const KINDS: Record<Kind, KindWords> = {
  analytics: {
    name: "Analytics",
    noun: "analytics connection",
    connect: "Connect analytics",
    connected: "Analytics is connected.",
    afterDeletion:
      "The keys and the delivery log of the connection will be deleted. Annotations that were already delivered stay.",
  },
  webhook: {
    name: "Webhook",
    noun: "webhook",
    connect: "Add webhook",
    connected: "The webhook was added.",
    afterDeletion: "The URL, the signing secret and the delivery log of the webhook will be deleted.",
  },
  slack: {
    name: "Slack",
    noun: "Slack connection",
    connect: "Connect Slack",
    connected: "Slack is connected.",
    afterDeletion:
      "The URL and the delivery log of the connection will be deleted. Messages that were already delivered stay.",
  },
};

/** What tells connections of a type apart: the region of analytics, the origin of a URL. */
export function placeOf({ configuration }: Integration): string {
  if ("analytics" in configuration) return configuration.analytics.region;
  const hook = "webhook" in configuration ? configuration.webhook : configuration.slack;
  return hook.origin ?? "unreadable URL";
}

/** The environments that a connection is limited to. */
export function filterOf({ configuration }: Integration): readonly string[] {
  if ("analytics" in configuration) return configuration.analytics.filter.environmentIds ?? [];
  const hook = "webhook" in configuration ? configuration.webhook : configuration.slack;
  return hook.filter.environmentIds ?? [];
}
