// The settings of an environment as fields: of a new one, and of one that is changed.
import { Checkbox } from "../../parts/choice/checkbox.js";
import { TextField } from "../../parts/form/text-field.js";

export interface Settings {
  production: boolean;
  approvalRequired: boolean;
  /** One a line. */
  origins: string;
}

interface SettingsFieldsProps {
  settings: Settings;
  onChange: (part: Partial<Settings>) => void;
}

export function SettingsFields({ settings, onChange }: SettingsFieldsProps) {
  return (
    <>
      <Checkbox
        label="Production: changing targeting here takes a production editor"
        isSelected={settings.production}
        onChange={(production) => onChange({ production })}
      >
        <strong>Production.</strong> Changing targeting here takes a production editor, and the pages ask before.
      </Checkbox>
      <Checkbox
        label="Approval required: every change of targeting here needs an approval"
        isSelected={settings.approvalRequired}
        onChange={(approvalRequired) => onChange({ approvalRequired })}
      >
        <strong>Approval required.</strong> Every change of targeting here is held until somebody else approves it.
      </Checkbox>
      <TextField
        label="Allowed origins"
        name="allowedOrigins"
        mono
        lines={3}
        isRequired={false}
        placeholder="https://shop.example"
        value={settings.origins}
        onChange={(origins) => onChange({ origins })}
        hint="Whose pages may use the client keys, one a line. Empty: all."
      />
    </>
  );
}
