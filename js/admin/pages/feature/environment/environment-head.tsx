// The head of an environment: its switch, what is served, and what a change there requires.
import { ApprovalChip, ProductionChip } from "../../../parts/display/chip.js";
import { Served } from "../../../parts/feature/served.js";
import { EnvironmentSwitch } from "../../../parts/feature/switch/environment-switch.js";
import { type FeatureData, type InEnvironment, stateOf } from "../use-feature-page.js";

export function EnvironmentHead({ data, place }: { data: FeatureData; place: InEnvironment }) {
  const { project, feature } = data;
  const { environment, saved, gates } = place;
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
    </section>
  );
}
