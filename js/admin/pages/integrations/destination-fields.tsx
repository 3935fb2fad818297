// The fields that say where a connection leads. What is secret is write-only: blank keeps what is stored.
import { Select } from "../../parts/choice/select.js";
import { TextField } from "../../parts/form/text-field.js";
import type { Secrets } from "./connection-settings.js";
import { type Region, useRegions } from "./integrations.js";
import type { Kind } from "./kinds.js";

/** Until the server has said where it can deliver. It refuses the others anyway. */
const REGIONS = (["US", "EU"] as const).map((region) => ({ region, available: true }));

interface DestinationFieldsProps {
  kind: Kind;
  isNew: boolean;
  region: Region | null;
  onRegion: (region: Region) => void;
  secrets: Secrets;
  onSecrets: (part: Partial<Secrets>) => void;
}

export function DestinationFields({ kind, isNew, region, onRegion, secrets, onSecrets }: DestinationFieldsProps) {
  if (kind !== "analytics") {
    return <UrlField kind={kind} isNew={isNew} value={secrets.url} onChange={(url) => onSecrets({ url })} />;
  }
  return (
    <>
      <RegionField value={region} onChange={onRegion} />
      <KeyFields isNew={isNew} secrets={secrets} onChange={onSecrets} />
    </>
  );
}

const URL_HINTS = {
  webhook: "Each change and each step of an approval is a signed POST request to this URL.",
  slack: "The URL of an incoming webhook, which Slack shows when you add one to a channel.",
};

interface UrlFieldProps {
  kind: "webhook" | "slack";
  isNew: boolean;
  value: string;
  onChange: (url: string) => void;
}

function UrlField({ kind, isNew, value, onChange }: UrlFieldProps) {
  const stored = isNew
    ? "Stored encrypted; only its origin is shown again."
    : "Leave blank to keep the stored URL, of which only the origin is shown.";
  return (
    <TextField
      label="URL"
      name={`configuration/${kind}/url`}
      autoComplete="off"
      autoFocus={isNew}
      mono
      placeholder="https://"
      isRequired={isNew ? true : undefined}
      hint={`${URL_HINTS[kind]} ${stored}`}
      value={value}
      onChange={onChange}
    />
  );
}

function RegionField({ value, onChange }: { value: Region | null; onChange: (region: Region) => void }) {
  const choices = (useRegions() ?? REGIONS).map(({ region, available }) => ({
    key: region,
    label: region,
    ...(!available && {
      isDisabled: true,
      detail: `This server has no address for ${region}. Ask its operator to set one.`,
    }),
  }));
  return (
    <Select
      label="Region"
      name="configuration/analytics/region"
      choices={choices}
      value={value}
      onChange={(region) => onChange(region as Region)}
      isRequired
      hint="The region of the analytics project. In the wrong region, deliveries fail with authentication errors."
    />
  );
}

interface KeyFieldsProps {
  isNew: boolean;
  secrets: Secrets;
  onChange: (part: Partial<Secrets>) => void;
}

function KeyFields({ isNew, secrets, onChange }: KeyFieldsProps) {
  const shared = {
    type: "password",
    autoComplete: "off",
    mono: true,
    isRequired: isNew ? true : undefined,
    hint: isNew ? "Stored encrypted, and never shown again." : "Leave blank to keep the stored key.",
  };
  return (
    <>
      <TextField
        {...shared}
        label="API key"
        name="configuration/analytics/apiKey"
        value={secrets.apiKey}
        onChange={(apiKey) => onChange({ apiKey })}
      />
      <TextField
        {...shared}
        label="Secret key"
        name="configuration/analytics/secretKey"
        value={secrets.secretKey}
        onChange={(secretKey) => onChange({ secretKey })}
      />
    </>
  );
}
