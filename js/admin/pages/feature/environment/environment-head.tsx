// The head of an environment: its switch, what is served, what a change there requires, and a link to measure the feature.
import { Link } from "wouter";
import { useSession } from "../../../api/session.js";
import { ApprovalChip, ProductionChip } from "../../../parts/display/chip.js";
import { Served } from "../../../parts/feature/served.js";
import { EnvironmentSwitch } from "../../../parts/feature/switch/environment-switch.js";
import { canChangeTargeting } from "../../../roles.js";
import { type FeatureData, type InEnvironment, stateOf } from "../use-feature-page.js";

export function EnvironmentHead({ data, place }: { data: FeatureData; place: InEnvironment }) {
  const { project, feature } = data;
  const { environment, saved, gates } = place;
  const { user } = useSession();
  const canMeasure = feature.lifecycle !== "Archived" && canChangeTargeting(user.role, environment);
  return (
    <section className="feature-environment" aria-label={environment.name}>
      <EnvironmentSwitch
        {...{ project, feature, environment, gates }}
        state={stateOf(place)}
        label={`${saved?.enabled ? "On" : "Off"} in ${environment.name}`}
      />
      {saved && (
        <p className="feature-served">
          <Served state={saved} explained />
        </p>
      )}
      {environment.production && <ProductionChip />}
      {gates.length > 0 && <ApprovalChip />}
      {canMeasure && (
        <Link
          className="feature-measure"
          href={`/projects/${project}/experiments?environment=${environment.key}&newWith=${feature.key}`}
        >
          New experiment
        </Link>
      )}
    </section>
  );
}
