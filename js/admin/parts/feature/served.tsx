// What an environment serves of a feature, in a few words. A sign warns where targeting is on and everyone gets the off variant.
import type { components } from "../../api/schema.js";
import { Icon } from "../display/icon.js";

interface ServedState {
  enabled: boolean;
  served: components["schemas"]["ServedSummary"];
}

/** Whether the switch is on and has no effect. */
export function isOnWithoutEffect({ enabled, served }: ServedState): boolean {
  return enabled && served.onlyOffVariant;
}

/** With the meaning of the sign. */
export function servedLabel(state: ServedState): string {
  const { summary } = state.served;
  return isOnWithoutEffect(state) ? `${summary}, although targeting is on` : summary;
}

/** `explained` where there is room for what the sign means. */
export function Served({ state, explained = false }: { state: ServedState; explained?: boolean }) {
  const warns = isOnWithoutEffect(state);
  return (
    <span className={warns ? "served served-warn" : "served"} title={servedLabel(state)}>
      {warns && <Icon name="warning" size={14} />}
      <bdi className="served-text">{explained ? servedLabel(state) : state.served.summary}</bdi>
    </span>
  );
}
