// Archives several features. Where an approval is required, it is requested.
import { useState } from "react";
import { client } from "../../api/client.js";
import { useBulk } from "../../parts/bulk/use-bulk.js";
import { approvalGates } from "../../parts/feature/approval-gates.js";
import { CommentField } from "../../parts/feature/approval-request.js";
import { Banner } from "../../parts/feedback/banner.js";
import { BulkDialog, countOf } from "./bulk-dialog.js";
import type { Environment, Feature, Pipeline } from "./features.js";

interface ArchiveDialogProps {
  project: string;
  features: readonly Feature[];
  environments: readonly Environment[];
  pipelines: readonly Pipeline[];
  onDone: () => void;
  onClose: () => void;
}

export function ArchiveDialog({ environments, pipelines, ...props }: ArchiveDialogProps) {
  const { project, features } = props;
  const [comment, setComment] = useState("");
  const gated = features.filter((feature) => approvalGates(feature, environments, pipelines).length > 0);
  const allGated = gated.length === features.length;
  const { run, pending, done } = useBulk((key: string) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: key } },
      body: { lifecycle: "Archived", ...(comment.trim() && { comment: comment.trim() }) },
    }),
  );
  return (
    <BulkDialog
      {...props}
      {...{ pending, done }}
      title={`Archive ${countOf(features)}?`}
      confirm={allGated ? "Request approval" : `Archive ${countOf(features)}`}
      kind={allGated ? "primary" : "danger"}
      doneLabel="Archived"
      run={() => run(features.map(({ key }) => key))}
    >
      <p>
        Archived features are no longer sent to clients in any environment: they use the default in their code, or{" "}
        <code>off</code>. Targeting is kept, and you can restore them.
      </p>
      {gated.length > 0 && (
        <>
          <Banner tone="note">
            {allGated ? "All need" : `${countOf(gated)} of them ${gated.length === 1 ? "needs" : "need"}`} an approval.
            It is requested, and nothing changes there until it is given.
          </Banner>
          <CommentField value={comment} onChange={setComment} forApprovers />
        </>
      )}
    </BulkDialog>
  );
}
