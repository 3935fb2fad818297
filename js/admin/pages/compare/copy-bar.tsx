// The bar below the comparison: how many features are selected, the settings to copy, and the copy button.
import { Button } from "../../parts/button/button.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { SelectionBar } from "../../parts/list/selection-bar.js";
import { type ComparedFeature, needsApproval } from "./comparison.js";
import { MAX_FEATURES, SETTINGS, type Settings, selectedLabels } from "./copy.js";

interface CopyBarProps {
  /** The selected features. */
  features: readonly ComparedFeature[];
  /** How many of them the filter hides. */
  hiddenCount: number;
  settings: Settings;
  onSettings: (settings: Settings) => void;
  onClear: () => void;
  onCopy: () => void;
}

export function CopyBar({ features, hiddenCount, settings, onSettings, onClear, onCopy }: CopyBarProps) {
  const tooMany = features.length > MAX_FEATURES;
  const noSetting = selectedLabels(settings).length === 0;
  return (
    <SelectionBar
      label="Copy"
      count={features.length}
      hiddenCount={hiddenCount}
      note={
        <>
          {tooMany && (
            <span className="compare-problem">. Select at most {MAX_FEATURES.toLocaleString("en")} features.</span>
          )}
          {noSetting && <span className="compare-problem">. Select a setting to copy.</span>}
        </>
      }
      onClear={onClear}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a row of checkboxes, not a fieldset */}
      <div className="compare-settings" role="group" aria-label="Settings to copy">
        {SETTINGS.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            isSelected={settings[name]}
            onChange={(selected) => onSettings({ ...settings, [name]: selected })}
          />
        ))}
      </div>
      <Button kind="primary" isDisabled={features.length === 0 || tooMany || noSetting} onPress={onCopy}>
        {buttonLabel(features)}
      </Button>
    </SelectionBar>
  );
}

function buttonLabel(features: readonly ComparedFeature[]): string {
  if (features.length === 0) return "Copy…";
  if (features.every(needsApproval)) return "Request approval";
  return `Copy ${features.length.toLocaleString("en")} ${features.length === 1 ? "feature" : "features"}…`;
}
