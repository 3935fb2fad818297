// The guards that tripped: a variant made a goal worse, so its share is given to the control.
import { Link } from "wouter";
import { formatTime } from "../../../parts/display/time.js";
import { Banner } from "../../../parts/feedback/banner.js";
import type { Experiment } from "../experiments.js";

interface GuardTripsProps {
  project: string;
  experiment: Experiment;
}

export function GuardTrips({ project, experiment: { guardTrips, controlVariantKey } }: GuardTripsProps) {
  return guardTrips.map(({ goalKey, variantKey, at, approvalId }) => (
    <Banner
      key={`${goalKey} ${variantKey}`}
      tone="warn"
      actions={approvalId && <Link href={`/projects/${project}/approvals/${approvalId}`}>View request</Link>}
    >
      <strong>A guard tripped.</strong> On <time dateTime={at}>{formatTime(at)}</time> it was certain that{" "}
      <bdi>{goalKey}</bdi> is worse with <bdi>{variantKey}</bdi>
      {approvalId ? ". Giving its share to " : ", whose share was given to "}
      <bdi>{controlVariantKey}</bdi>
      {approvalId ? " requires an approval." : "."}
    </Banner>
  ));
}
