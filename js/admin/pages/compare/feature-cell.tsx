// The name of a compared feature with its key, its chips, and a button that shows all its rules.
import { Button } from "../../parts/button/button.js";
import { isCollapsible } from "../../parts/feature/rule-list.js";
import type { Audience } from "../../parts/feature/use-audiences-by-key.js";
import { NameLink } from "../../parts/list/name-cell.js";
import type { ComparedEnvironment, ComparedFeature } from "./comparison.js";
import { FeatureChips } from "./feature-chips.js";

interface FeatureCellProps {
  project: string;
  feature: ComparedFeature;
  source: ComparedEnvironment | undefined;
  target: ComparedEnvironment | undefined;
  audiences: ReadonlyMap<string, Audience> | undefined;
  expanded: boolean;
  onToggle: () => void;
}

export function FeatureCell({ project, feature, source, target, audiences, expanded, onToggle }: FeatureCellProps) {
  const { key, name } = feature;
  const collapsible = isCollapsible(feature.source.rules, audiences) || isCollapsible(feature.target.rules, audiences);
  return (
    <div className="compare-feature">
      <NameLink href={`/projects/${project}/features/${key}`}>{name}</NameLink>
      <code className="compare-key">{key}</code>
      {source && target && (
        <span className="compare-chips">
          <FeatureChips project={project} feature={feature} source={source} target={target} />
        </span>
      )}
      {collapsible && (
        <span>
          <Button
            kind="quiet"
            aria-expanded={expanded}
            aria-label={expanded ? `Show fewer rules of ${name}` : `Show all rules of ${name}`}
            onPress={onToggle}
          >
            {expanded ? "Show less" : "Show all rules"}
          </Button>
        </span>
      )}
    </div>
  );
}
