// A scheduled change: when, of what, by whom, and whether it still waits for an approval.
import { Chip, ProductionChip } from "../../../parts/display/chip.js";
import { formatTimeOfDay } from "../../../parts/display/time.js";
import { type ApprovalSummary, environmentOf, type Names, sourceOf } from "../approvals.js";
import { ChangeKind, CopyCell, FeatureCell } from "../columns.js";
import type { DecidableRequest } from "../decisions.js";
import type { Entry } from "../entries.js";
import { BuildsOn } from "./builds-on.js";

interface ChangeItemProps {
  project: string;
  names: Names;
  entry: Entry<ApprovalSummary>;
  predecessors: ReadonlyMap<string, ApprovalSummary>;
  describe: (request: ApprovalSummary) => DecidableRequest;
}

export function ChangeItem({ project, names, entry, predecessors, describe }: ChangeItemProps) {
  const { first, requests } = entry;
  const { scheduledFor, requestedBy, kind, state, featureKey } = first;
  const environment = environmentOf(first, names);
  const at = `/projects/${project}`;
  const predecessor = requests.length === 1 ? predecessors.get(first.id) : undefined;
  return (
    <li className="calendar-change">
      <time dateTime={scheduledFor ?? ""}>{formatTimeOfDay(scheduledFor ?? "")}</time>
      <div className="calendar-what">
        {requests.length > 1 ? (
          <CopyCell request={first} requests={requests.map(describe)} />
        ) : (
          <FeatureCell name={names.feature(featureKey)} at={at} request={first} />
        )}
        {predecessor && <BuildsOn at={at} change={first} predecessor={predecessor} />}
      </div>
      <div className="calendar-facts">
        <span className="approvals-environment">
          <bdi>{environment.name}</bdi>
          {environment.production && <ProductionChip />}
        </span>
        <span className="calendar-kind">
          <ChangeKind kind={kind} source={sourceOf(first, names)} />
        </span>
        <span className="calendar-requester">
          <span>
            by <bdi>{requestedBy.name}</bdi>
          </span>
          {state === "pending" && (
            <Chip tone="accent" icon="approvals">
              Waits for approval
            </Chip>
          )}
        </span>
      </div>
    </li>
  );
}
