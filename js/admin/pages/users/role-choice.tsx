// The four roles, with what each may do.
import type { Role } from "../../api/session.js";
import { Select } from "../../parts/choice/select.js";
import { Chip, type Tone } from "../../parts/display/chip.js";
import { roleName } from "../../roles.js";

const ROLES: readonly { key: Role; tone: Tone; detail: string }[] = [
  {
    key: "administrator",
    tone: "accent",
    detail: "Everything: people, projects, environments and their keys, pipelines, integrations.",
  },
  { key: "productionEditor", tone: "warn", detail: "Changes features everywhere, production too, and approves." },
  { key: "editor", tone: "note", detail: "Changes features outside production." },
  { key: "readOnly", tone: "plain", detail: "Sees everything and changes nothing." },
];

export function RoleChip({ role }: { role: Role }) {
  return <Chip tone={ROLES.find(({ key }) => key === role)?.tone ?? "plain"}>{roleName(role)}</Chip>;
}

export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Select
      label="Role"
      name="role"
      choices={ROLES.map(({ key, detail }) => ({ key, label: roleName(key), detail }))}
      value={value}
      onChange={(key) => onChange(key as Role)}
      hint={ROLES.find(({ key }) => key === value)?.detail}
    />
  );
}
