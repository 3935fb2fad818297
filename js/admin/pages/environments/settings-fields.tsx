// The settings of an environment as form fields, for a new one and for an existing one.
import { Checkbox } from "../../parts/choice/checkbox.js";
import { TextField } from "../../parts/form/text-field.js";
import { parseOrigins } from "./environments.js";

export interface Settings {
  production: boolean;
  approvalRequired: boolean;
  /** One per line. */
  origins: string;
}

interface SettingsFieldsProps {
  settings: Settings;
  onChange: (part: Partial<Settings>) => void;
}

export function SettingsFields({ settings, onChange }: SettingsFieldsProps) {
  return (
    <>
      <Checkbox label="Production" isSelected={settings.production} onChange={(production) => onChange({ production })}>
        <strong>Production.</strong> Only production editors can change targeting; changes ask for confirmation.
      </Checkbox>
      <Checkbox
        label="Approval required"
        isSelected={settings.approvalRequired}
        onChange={(approvalRequired) => onChange({ approvalRequired })}
      >
        <strong>Approval required.</strong> Changes need another person's approval.
      </Checkbox>
      <TextField
        label="Allowed origins"
        name="allowedOrigins"
        mono
        lines={3}
        isRequired={false}
        placeholder="https://shop.example"
        entries={parseOrigins(settings.origins)}
        value={settings.origins}
        onChange={(origins) => onChange({ origins })}
        hint="Origins allowed to use client keys, one per line. Leave empty to allow all."
      />
    </>
  );
}
