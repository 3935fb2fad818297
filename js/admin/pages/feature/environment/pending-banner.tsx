// Shows that a change in this environment is pending approval. Until it is decided, no other change can be saved.
import { Link } from "wouter";
import { Banner } from "../../../parts/feedback/banner.js";
import type { WaitingChange } from "../feature.js";

export function PendingBanner({ project, change }: { project: string; change: WaitingChange }) {
  return (
    <Banner tone="warn" actions={<Link href={`/projects/${project}/approvals/${change.id}`}>View request</Link>}>
      A change by <bdi>{change.requestedBy.name}</bdi> is pending approval. Other changes can't be saved until it is
      decided.
      {change.comment && (
        <div className="targeting-comment">
          <bdi>{change.comment}</bdi>
        </div>
      )}
    </Banner>
  );
}
