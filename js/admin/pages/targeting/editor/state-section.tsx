// Targeting on or off, and the off variant.
import { Select } from "../../../parts/choice/select.js";
import { Switch } from "../../../parts/choice/switch.js";
import { Section } from "../../../parts/layout/page.js";
import type { Draft } from "../draft/draft.js";

interface StateSectionProps {
  draft: Draft;
  variants: readonly string[];
  update: (change: (draft: Draft) => Draft) => void;
}

export function StateSection({ draft, variants, update }: StateSectionProps) {
  return (
    <Section title="State">
      <div className="targeting-state">
        <Switch
          label={draft.enabled ? "Targeting is on" : "Targeting is off"}
          isSelected={draft.enabled}
          onChange={(enabled) => update((old) => ({ ...old, enabled }))}
        />
        <Select
          label="Off variant"
          name="offVariantKey"
          choices={variants.map((key) => ({ key, label: key }))}
          value={draft.offVariantKey}
          onChange={(offVariantKey) => update((old) => ({ ...old, offVariantKey }))}
          hint="Served when targeting is off or no rule matches."
        />
      </div>
    </Section>
  );
}
