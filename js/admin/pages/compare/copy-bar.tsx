// Under the comparison: what is selected, which settings are copied, and the button that asks before it copies.
import { Button } from "../../parts/button/button.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { type ComparedFeature, isGated } from "./comparison.js";
import { chosen, MOST, SETTINGS, type Settings } from "./copy.js";

interface CopyBarProps {
  features: readonly ComparedFeature[];
  /** How many of them the filter hides. */
  hidden: number;
  settings: Settings;
  onSettings: (settings: Settings) => void;
  onClear: () => void;
  onCopy: () => void;
}

export function CopyBar({ features, hidden, settings, onSettings, onClear, onCopy }: CopyBarProps) {
  const tooMany = features.length > MOST;
  const none = chosen(settings).length === 0;
  return (
    <section className="compare-bar" aria-label="Copy">
      <div className="compare-selected">
        <span role="status">
          {features.length === 0 ? "None selected" : `${features.length.toLocaleString("en")} selected`}
          {hidden > 0 && <span className="compare-hidden">, {hidden.toLocaleString("en")} of them not in view</span>}
          {tooMany && <span className="compare-problem">, and at most 1,000 are copied at once</span>}
          {none && <span className="compare-problem">, and no setting to copy</span>}
        </span>
        {features.length > 0 && (
          <Button kind="quiet" onPress={onClear}>
            Clear
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: its name stands in the sentence beside it */}
      <div className="compare-settings" role="group" aria-label="Settings to copy">
        {SETTINGS.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            isSelected={settings[name]}
            onChange={(on) => onSettings({ ...settings, [name]: on })}
          />
        ))}
      </div>
      <Button kind="primary" isDisabled={features.length === 0 || tooMany || none} onPress={onCopy}>
        {buttonText(features)}
      </Button>
    </section>
  );
}

/** `Request approval` when every one of them is gated. */
export function buttonText(features: readonly ComparedFeature[]): string {
  if (features.length > 0 && features.every(isGated)) return "Request approval";
  if (features.length === 0) return "Copy…";
  return `Copy ${features.length.toLocaleString("en")} ${features.length === 1 ? "feature" : "features"}…`;
}
