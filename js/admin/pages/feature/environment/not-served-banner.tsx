// Shows that the feature is not served in this environment yet, and offers to serve its targeting as it is.
import { useState } from "react";
import { useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import { Button } from "../../../parts/button/button.js";
import { ChangeDialog } from "../../../parts/dialog/change-dialog.js";
import { requestedOrScheduled } from "../../../parts/feedback/approval-requested.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { toast } from "../../../parts/feedback/toast.js";
import type { SavedTargeting } from "../draft/draft.js";
import type { TargetingContext } from "../targeting-context.js";

interface NotServedProps {
  context: TargetingContext;
  saved: SavedTargeting;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
}

export function NotServedBanner({ canAccept, ...props }: NotServedProps & { canAccept: boolean }) {
  const [asked, setAsked] = useState(false);
  const { environment } = props.context;
  const button = <Button onPress={() => setAsked(true)}>Serve {props.saved.offVariantKey}…</Button>;
  return (
    <>
      <Banner tone="note" actions={canAccept && button}>
        Not served in {environment.name} yet: the feature has no variant <code>off</code>, and nobody has changed its
        targeting here. Clients use their defaults until the first change, or until somebody accepts it as it is.
      </Banner>
      {asked && <AcceptDialog {...props} onClose={() => setAsked(false)} />}
    </>
  );
}

function AcceptDialog({ context, saved, gates, onClose }: NotServedProps & { onClose: () => void }) {
  const { project, feature, environment } = context;
  const { enabled, offVariantKey, rules, version } = saved;
  const title = `${feature.name} in ${environment.name}`;
  const accept = useChange((comment: string) =>
    client.PUT("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
      params: {
        path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key },
        header: ifMatch(version),
      },
      body: { enabled, offVariantKey, rules, ...(comment && { comment }) },
    }),
  );
  const confirm = async (comment: string) => {
    const outcome = await accept.run(comment);
    if (outcome.kind === "refused") return;
    onClose();
    if (outcome.kind === "done") toast({ tone: "good", text: `${title} serves ${offVariantKey}.` });
    else if (outcome.kind === "approvalRequested") toast(requestedOrScheduled(project, outcome.approval, title));
    else toast({ tone: "bad", text: `${title} was not changed: someone else has just changed it. Check it again.` });
  };
  return (
    <ChangeDialog
      title={`Serve ${offVariantKey} in ${environment.name}?`}
      action={`serve ${offVariantKey} in ${environment.name}`}
      confirm={`Serve ${offVariantKey}`}
      gates={gates}
      pending={accept.pending}
      problem={accept.problem}
      onConfirm={(comment) => void confirm(comment)}
      onClose={onClose}
    >
      <p>
        The targeting stays as it is. All users get its off variant, <code>{offVariantKey}</code>, instead of the
        default of their client.
      </p>
    </ChangeDialog>
  );
}
