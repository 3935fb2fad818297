// What is true of the feature in every environment: its facts, and its release pipeline.
import { Section } from "../../../parts/layout/page.js";
import type { FeatureData } from "../use-feature-page.js";
import { Facts } from "./facts.js";
import { PipelinePhases } from "./pipeline-phases.js";

export function Details({ data: { project, feature, environments, pipelines } }: { data: FeatureData }) {
  const pipeline = pipelines.find(({ key }) => key === feature.pipelineKey);
  return (
    <div className="feature-columns">
      <Section title="Details">
        <Facts feature={feature} />
      </Section>
      <Section title="Pipeline">
        <PipelinePhases project={project} feature={feature} pipeline={pipeline} environments={environments} />
      </Section>
    </div>
  );
}
