// Shows that an experiment runs with the feature in this environment: a change of the targeting would spoil its results.
import { Link } from "wouter";
import { Banner } from "../../../parts/feedback/banner.js";
import type { Experiment } from "../feature.js";

interface ExperimentBannerProps {
  project: string;
  environment: string;
  experiment: Experiment;
}

export function ExperimentBanner({ project, environment, experiment: { key, name } }: ExperimentBannerProps) {
  return (
    <Banner tone="note">
      Experiment{" "}
      <Link href={`/projects/${project}/experiments/${environment}/${key}`}>
        <bdi>{name}</bdi>
      </Link>{" "}
      is running: a change of the targeting would mix two splits.
    </Banner>
  );
}
