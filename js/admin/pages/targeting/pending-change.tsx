// A change that waits for approval in this environment: while it does, no other one can be saved.
import { Link } from "react-aria-components";
import type { components } from "../../api/schema.js";
import { Banner } from "../../parts/feedback/banner.js";

export type PendingChange = components["schemas"]["ApprovalSummary"];

export function PendingBanner({ project, change }: { project: string; change: PendingChange }) {
  return (
    <Banner tone="warn" actions={<Link href={`/projects/${project}/approvals/${change.id}`}>See the request</Link>}>
      A change by <bdi>{change.requestedBy.name}</bdi> waits for approval here. Until it is decided, nothing else can be
      saved.
      {change.comment && (
        <div className="targeting-comment">
          <bdi>{change.comment}</bdi>
        </div>
      )}
    </Banner>
  );
}
