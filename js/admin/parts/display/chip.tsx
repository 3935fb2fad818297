// A small label for a status or a property.
import type { ReactNode } from "react";
import type { components } from "../../api/schema.js";
import { Icon, type IconName } from "./icon.js";

export type Tone = "plain" | "tag" | "good" | "warn" | "bad" | "note" | "accent";

export function Chip({ tone = "plain", icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`chip chip-${tone}`}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  );
}

const LIFECYCLES: Record<components["schemas"]["Lifecycle"], Tone> = {
  Draft: "note",
  Active: "good",
  Archived: "plain",
};

export function LifecycleChip({ lifecycle }: { lifecycle: components["schemas"]["Lifecycle"] }) {
  return <Chip tone={LIFECYCLES[lifecycle]}>{lifecycle}</Chip>;
}

export function ProductionChip() {
  return <Chip tone="warn">Production</Chip>;
}

export function ApprovalChip() {
  return (
    <Chip tone="accent" icon="approvals">
      Approval required
    </Chip>
  );
}
