// The copy: which settings, the request, and its key, under which a repeat is done once.
import { useRef } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import type { components } from "../../api/schema.js";
import type { ComparedFeature, Difference } from "./comparison.js";

export type CopyBody = components["schemas"]["CopyBody"];
export type CopyResult = components["schemas"]["CopyResult"];
export type CopiedFeature = components["schemas"]["CopiedFeature"];
export type SettingName = "enabled" | "offVariantKey" | "rules";
export type Settings = Record<SettingName, boolean>;

/** As many as the server copies at once. */
export const MOST = 1_000;

export const SETTINGS: readonly { name: SettingName; label: Difference }[] = [
  { name: "enabled", label: "On/off state" },
  { name: "offVariantKey", label: "Off variant" },
  { name: "rules", label: "Targeting rules" },
];

export function chosen(settings: Settings): Difference[] {
  return SETTINGS.filter(({ name }) => settings[name]).map(({ label }) => label);
}

/** In what a feature differs of that which is copied. */
export function changes(feature: ComparedFeature, settings: Settings): Difference[] {
  const labels = chosen(settings);
  return feature.differences.filter((difference) => labels.includes(difference));
}

/** The request for what was seen: a target that has changed since is left as it is. */
export function copyOf(
  [source, target]: readonly [string, string],
  features: readonly ComparedFeature[],
  settings: Settings,
  comment: string,
): CopyBody {
  return {
    source,
    target,
    featureKeys: features.map(({ key }) => key),
    settings,
    targetVersions: Object.fromEntries(features.map(({ key, target }) => [key, target.version])),
    ...(comment.trim() && { comment }),
  };
}

/** `crypto.randomUUID` is there for secure origins alone, and a server of one's own may have no certificate. */
function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The same copy sent again, because its answer was lost, keeps its key until it was answered. */
export function useCopy(project: string) {
  const sent = useRef<{ body: string; key: string }>(undefined);
  const change = useChange((body: CopyBody) => {
    const text = JSON.stringify(body);
    if (sent.current?.body !== text) sent.current = { body: text, key: freshKey() };
    const header = { "Idempotency-Key": sent.current.key };
    const params = { path: { projectKey: project }, header };
    return client.POST("/api/v1/projects/{projectKey}/environments/copy", { params, body });
  });
  const run = async (body: CopyBody): Promise<CopyResult | undefined> => {
    const outcome = await change.run(body);
    if (outcome.kind !== "done") return undefined;
    sent.current = undefined;
    return outcome.value;
  };
  return { ...change, run };
}
