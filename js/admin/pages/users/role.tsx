// The four roles, with what each can do.
import type { Role } from "../../api/session.js";
import { Select } from "../../parts/choice/select.js";
import { Chip, type Tone } from "../../parts/display/chip.js";
import { roleName } from "../../roles.js";

const ROLES: readonly { key: Role; tone: Tone; detail: string }[] = [
  {
    key: "administrator",
    tone: "accent",
    detail: "Can do everything, including people, projects, environments, keys, pipelines and integrations.",
  },
  {
    key: "productionEditor",
    tone: "warn",
    detail: "Can change features in all environments, including production, and approve changes.",
  },
  { key: "editor", tone: "note", detail: "Can change features outside production." },
  { key: "readOnly", tone: "plain", detail: "Can see everything and change nothing." },
];

export function RoleChip({ role }: { role: Role }) {
  return <Chip tone={ROLES.find(({ key }) => key === role)?.tone ?? "plain"}>{roleName(role)}</Chip>;
}

export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
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
