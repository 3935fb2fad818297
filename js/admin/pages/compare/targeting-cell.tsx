// A feature's targeting in one environment: on or off, off variant and rules. Differences are highlighted.
import { RuleList } from "../../parts/feature/rule-list.js";
import type { Audience } from "../../parts/feature/use-audiences-by-key.js";
import type { ComparedFeature, Difference } from "./comparison.js";

interface TargetingCellProps {
  /** `Source` or `Target` */
  title: string;
  environmentName: string;
  targeting: ComparedFeature["source"];
  /** Of the feature. */
  variants: readonly string[];
  differences: readonly Difference[];
  audiences: ReadonlyMap<string, Audience> | undefined;
  collapsed: boolean;
}

export function TargetingCell(props: TargetingCellProps) {
  const { title, environmentName, targeting, variants, differences, audiences, collapsed } = props;
  const classFor = (difference: Difference) =>
    differences.includes(difference) ? "compare-line compare-line-different" : "compare-line";
  return (
    <div className="compare-side">
      <span className="compare-side-name" aria-hidden="true">
        {title}: <bdi>{environmentName}</bdi>
      </span>
      <dl>
        <div className={classFor("On/off state")}>
          <dt>Targeting</dt>
          <dd className={targeting.enabled ? "compare-on" : "compare-off"}>{targeting.enabled ? "On" : "Off"}</dd>
        </div>
        <div className={classFor("Off variant")}>
          <dt>Off variant</dt>
          <dd>
            <code>{targeting.offVariantKey}</code>
          </dd>
        </div>
        <div className={classFor("Targeting rules")}>
          <dt>Rules</dt>
          <dd>
            <RuleList rules={targeting.rules} variants={variants} audiences={audiences} collapsed={collapsed} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
