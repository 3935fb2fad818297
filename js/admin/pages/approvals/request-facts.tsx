// The facts of a request: feature, kind of change, requester, what requires the approval, comment and decision.
import { Link } from "wouter";
import { KeyValue } from "../../parts/display/key-value.js";
import { type Approval, formatTime, gatesOf, type Names, STATES, sourceOf } from "./approvals.js";
import { ChangeKind } from "./columns.js";

interface RequestFactsProps {
  project: string;
  approval: Approval;
  names: Names;
}

export function RequestFacts({ project, approval, names }: RequestFactsProps) {
  const { requestedBy, requestedAt, decidedBy, decidedAt, state, comment, kind } = approval;
  const facts = [
    {
      term: "Feature",
      value: <FeatureLink {...{ project, approval, names }} />,
    },
    { term: "Change", value: <ChangeKind kind={kind} source={sourceOf(approval, names)} /> },
    { term: "Requested", value: <PersonAndTime name={requestedBy.name} at={requestedAt} /> },
    {
      term: "Required by",
      value: (
        <ul>
          {gatesOf(approval, names).map((gate) => (
            <li key={gate}>
              <bdi>{gate}</bdi>
            </li>
          ))}
        </ul>
      ),
    },
  ];
  if (comment) facts.push({ term: "Comment", value: <bdi className="approvals-text">{comment}</bdi> });
  if (decidedBy && decidedAt) {
    const term = state === "stale" ? "Attempted" : STATES[state].label;
    facts.push({ term, value: <PersonAndTime name={decidedBy.name} at={decidedAt} /> });
  }
  return <KeyValue facts={facts} />;
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
