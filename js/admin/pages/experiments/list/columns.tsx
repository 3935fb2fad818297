// The columns of the list of experiments.
import { Link } from "wouter";
import { formatTime } from "../../../parts/display/time.js";
import { Key, NameCell } from "../../../parts/list/name-cell.js";
import type { Column } from "../../../parts/list/table.js";
import { addressOf, type Experiment, primaryGoalOf } from "../experiments.js";
import { StateChip } from "../state-chip.js";

export function columnsFor(
  project: string,
  environment: string,
  featureName: (key: string) => string,
): Column<Experiment>[] {
  return [
    {
      key: "name",
      header: "Experiment",
      width: "minmax(12rem, 1.4fr)",
      card: "title",
      cell: ({ key, name }) => (
        <NameCell name={name} href={addressOf({ project, environment, experiment: key })}>
          <Key>{key}</Key>
        </NameCell>
      ),
    },
    {
      key: "state",
      header: "State",
      width: "5.5rem",
      cell: ({ state }) => <StateChip state={state} />,
    },
    {
      key: "feature",
      header: "Feature",
      width: "minmax(8rem, 1fr)",
      cell: ({ featureKey }) => (
        <Link href={`/projects/${project}/features/${featureKey}/environments/${environment}`} className="name-link">
          <bdi>{featureName(featureKey)}</bdi>
        </Link>
      ),
    },
    {
      key: "goal",
      header: "Primary goal",
      width: "minmax(7rem, 0.8fr)",
      cell: (experiment) => (
        <code className="experiments-goal">
          <bdi>{primaryGoalOf(experiment)}</bdi>
        </code>
      ),
    },
    { key: "started", header: "Started", width: "10.5rem", cell: ({ startedAt }) => <At time={startedAt} /> },
    { key: "stopped", header: "Stopped", width: "10.5rem", cell: ({ stoppedAt }) => <At time={stoppedAt} /> },
  ];
}

function At({ time }: { time: string | null | undefined }) {
  return time ? (
    <time dateTime={time} title={time}>
      {formatTime(time)}
    </time>
  ) : (
    <span className="muted">Not yet</span>
  );
}
