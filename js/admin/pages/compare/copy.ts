// The copy: its settings, its request, and the idempotency key, with which a repeated request is done once.
import { useRef } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import type { components } from "../../api/schema.js";
import type { ComparedFeature, Difference } from "./comparison.js";

type CopyBody = components["schemas"]["CopyBody"];
export type CopyResult = components["schemas"]["CopyResult"];
export type CopiedFeature = components["schemas"]["CopiedFeature"];
type SettingName = "enabled" | "offVariantKey" | "rules";
export type Settings = Record<SettingName, boolean>;

/** The server's limit for one copy. */
export const MAX_FEATURES = 1_000;

export const SETTINGS: readonly { name: SettingName; label: Difference }[] = [
  { name: "enabled", label: "On/off state" },
  { name: "offVariantKey", label: "Off variant" },
  { name: "rules", label: "Targeting rules" },
];

export function selectedLabels(settings: Settings): Difference[] {
  return SETTINGS.filter(({ name }) => settings[name]).map(({ label }) => label);
}

/** The differences of the feature that the copy removes. */
export function copiedDifferences(feature: ComparedFeature, settings: Settings): Difference[] {
  const labels = selectedLabels(settings);
  return feature.differences.filter((difference) => labels.includes(difference));
}

interface CopyNote {
  comment: string;
  /** When the changes are to be made; undefined for now. */
  scheduledFor: string | undefined;
}

/** With the versions that were shown, so that the server skips what has changed since on either side. */
export function copyBody(
  [source, target]: readonly [string, string],
  features: readonly ComparedFeature[],
  settings: Settings,
  { comment, scheduledFor }: CopyNote,
): CopyBody {
  return {
    source,
    target,
    featureKeys: features.map(({ key }) => key),
    settings,
    sourceVersions: Object.fromEntries(features.map(({ key, source }) => [key, source.version])),
    targetVersions: Object.fromEntries(features.map(({ key, target }) => [key, target.version])),
    ...(comment.trim() && { comment }),
    ...(scheduledFor !== undefined && { scheduledFor }),
  };
}

/** `crypto.randomUUID` needs a secure origin, and a self-hosted server may have no certificate. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sending the same copy again after a lost response uses the same key. */
export function useCopy(project: string) {
  const sent = useRef<{ body: string; key: string }>(undefined);
  const send = (body: CopyBody) => {
    const json = JSON.stringify(body);
    if (sent.current?.body !== json) sent.current = { body: json, key: newIdempotencyKey() };
    const header = { "Idempotency-Key": sent.current.key };
    const params = { path: { projectKey: project }, header };
    return client.POST("/api/v1/projects/{projectKey}/environments/copy", { params, body });
  };
  const change = useChange(send, { inSteps: true });
  const run = async (body: CopyBody): Promise<CopyResult | undefined> => {
    const outcome = await change.run(body);
    if (outcome.kind !== "done") return undefined;
    sent.current = undefined;
    return outcome.value;
  };
  // The server ended in the middle of it, for example because it took too long.
  const isInterrupted = (change.problem?.status ?? 0) >= 500;
  return { ...change, run, isInterrupted };
}
