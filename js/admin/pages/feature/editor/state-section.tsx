// The off variant, and whether targeting is turned on or off together with the other changes.
import { Checkbox } from "../../../parts/choice/checkbox.js";
import { Select } from "../../../parts/choice/select.js";
import { Section } from "../../../parts/layout/page.js";
import type { Draft } from "../draft/draft.js";

interface StateSectionProps {
  draft: Draft;
  /** Whether targeting is on in the version that the draft is based on. */
  isOn: boolean;
  variants: readonly string[];
  update: (change: (draft: Draft) => Draft) => void;
}

export function StateSection({ draft, isOn, variants, update }: StateSectionProps) {
  return (
    <Section title="State">
      <div className="targeting-state">
        <Select
          label="Off variant"
          name="offVariantKey"
          choices={variants.map((key) => ({ key, label: key }))}
          value={draft.offVariantKey}
          onChange={(offVariantKey) => update((old) => ({ ...old, offVariantKey }))}
          hint="Served when targeting is off or no rule matches."
        />
        <div className="targeting-with-save">
          <Checkbox
            label={isOn ? "Turn targeting off with the next save" : "Turn targeting on with the next save"}
            isSelected={draft.enabled !== isOn}
            onChange={(turned) => update((old) => ({ ...old, enabled: turned ? !isOn : isOn }))}
          />
          <p className="field-hint">To turn it {isOn ? "off" : "on"} now, use the switch above.</p>
        </div>
      </div>
    </Section>
  );
}
