// The facts of a request: feature, kind of change, requester, what requires the approval, comment and decision.
import { Link } from "wouter";
import { KeyValue } from "../../parts/display/key-value.js";
import { formatTime } from "../../parts/display/time.js";
import { type Approval, gatesOf, type Names, STATES, sourceOf } from "./approvals.js";
import { ChangeKind } from "./columns.js";

interface RequestFactsProps {
  project: string;
  approval: Approval;
  names: Names;
}

export function RequestFacts({ project, approval, names }: RequestFactsProps) {
  const { requestedBy, requestedAt, decidedBy, decidedAt, comment, kind, scheduledFor } = approval;
  const gates = gatesOf(approval, names);
  const facts = [
    {
      term: "Feature",
      value: <FeatureLink {...{ project, approval, names }} />,
    },
    { term: "Change", value: <ChangeKind kind={kind} source={sourceOf(approval, names)} /> },
    { term: "Requested", value: <PersonAndTime name={requestedBy.name} at={requestedAt} /> },
  ];
  if (scheduledFor) {
    facts.push({ term: "Scheduled for", value: <time dateTime={scheduledFor}>{formatTime(scheduledFor)}</time> });
  }
  if (gates.length > 0) facts.push({ term: "Required by", value: <Gates gates={gates} /> });
  if (comment) facts.push({ term: "Comment", value: <bdi className="approvals-text">{comment}</bdi> });
  if (decidedBy && decidedAt) {
    facts.push({ term: termFor(approval), value: <PersonAndTime name={decidedBy.name} at={decidedAt} /> });
  }
  return <KeyValue facts={facts} />;
}

/** What the person who decided did. A change that somebody approved may be made or become stale later. */
function termFor({ state, scheduledFor, settledAt }: Approval): string {
  if (scheduledFor && (settledAt || state === "scheduled")) return STATES.approved.label;
  return state === "stale" ? "Attempted" : STATES[state].label;
}

function Gates({ gates }: { gates: readonly string[] }) {
  return (
    <ul>
      {gates.map((gate) => (
        <li key={gate}>
          <bdi>{gate}</bdi>
        </li>
      ))}
    </ul>
  );
}

function FeatureLink({ project, approval, names }: RequestFactsProps) {
  const { featureKey, environmentKey, feature } = approval;
  const href = `/projects/${project}/features/${featureKey}`;
  const name = <bdi>{names.feature(featureKey)}</bdi>;
  if (feature) return <Link href={href}>{name}</Link>;
  return (
    <Link href={`${href}/environments/${environmentKey}`}>
      {name} in <bdi>{names.environment(environmentKey)}</bdi>
    </Link>
  );
}

function PersonAndTime({ name, at }: { name: string; at: string }) {
  return (
    <>
      <bdi>{name}</bdi>, <time dateTime={at}>{formatTime(at)}</time>
    </>
  );
}
