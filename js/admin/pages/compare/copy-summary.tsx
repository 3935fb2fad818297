// What a copy will do: the environments, warnings, settings and features.
import { FeatureName, ResultList } from "../../parts/bulk/result-list.js";
import { Chip, ProductionChip } from "../../parts/display/chip.js";
import type { Experiment } from "../../parts/feature/use-experiments.js";
import { Banner } from "../../parts/feedback/banner.js";
import { type ComparedEnvironment, type ComparedFeature, needsApproval } from "./comparison.js";
import { copiedDifferences, SETTINGS, type Settings, selectedLabels } from "./copy.js";
import { CopyWarnings } from "./copy-warnings.js";

interface CopySummaryProps {
  source: ComparedEnvironment;
  target: ComparedEnvironment;
  experiments: readonly Experiment[] | undefined;
  features: readonly ComparedFeature[];
  settings: Settings;
  isScheduled: boolean;
}

export function CopySummary(props: CopySummaryProps) {
  const { source, target, features, settings, isScheduled } = props;
  return (
    <>
      <p className="compare-direction">
        From{" "}
        <strong>
          <bdi>{source.name}</bdi>
        </strong>{" "}
        to{" "}
        <strong>
          <bdi>{target.name}</bdi>
        </strong>{" "}
        {target.production && <ProductionChip />}
      </p>
      {target.production && (
        <Banner tone="warn">
          <strong>
            <bdi>{target.name}</bdi>
          </strong>{" "}
          is a production environment.{" "}
          {features.every(needsApproval)
            ? `Users get the changes ${isScheduled ? "at the time below, if they are approved" : "once they are approved"}.`
            : isScheduled
              ? "Users get the copied settings at the time below, unless approval is required."
              : "Users get the copied settings immediately, unless approval is required."}
        </Banner>
      )}
      <CopyWarnings {...props} />
      <SettingList settings={settings} />
      <FeatureList features={features} settings={settings} />
    </>
  );
}

function SettingList({ settings }: { settings: Settings }) {
  const notCopied = SETTINGS.filter(({ name }) => !settings[name]).map(({ label }) => label);
  return (
    <div className="compare-part">
      <h3>Settings</h3>
      <p>
        {selectedLabels(settings).join(", ")}
        {notCopied.length > 0 && <span className="compare-not-copied">. Not copied: {notCopied.join(", ")}</span>}
      </p>
    </div>
  );
}

function FeatureList({ features, settings }: Pick<CopySummaryProps, "features" | "settings">) {
  return (
    <div className="compare-part">
      <h3>Features</h3>
      <ResultList label="Features to copy">
        {features.map((feature) => (
          <li key={feature.key}>
            <FeatureName name={feature.name} featureKey={feature.key} />
            <span className="result-list-notes">
              {copiedDifferences(feature, settings).join(", ") || "No differences in these settings: will be skipped"}
              {needsApproval(feature) && <Chip tone="accent">Approval required</Chip>}
            </span>
          </li>
        ))}
      </ResultList>
    </div>
  );
}
