// Saves the draft, schedules it, or requests approval for it.
import { type Outcome, useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import { requestedOrScheduled } from "../../../parts/feedback/approval-requested.js";
import { type Toast, toast } from "../../../parts/feedback/toast.js";
import { type Draft, type SavedTargeting, toTargeting } from "../draft/draft.js";
import type { DraftState } from "../draft/use-draft.js";
import type { TargetingContext } from "../targeting-context.js";

/** A change at a time to come. */
export interface Later {
  scheduledFor: string;
  /** The changes of the draft, on top of what is scheduled before. */
  draft: Draft;
}

export function useSave({ project, feature, environment }: TargetingContext, state: DraftState, title: string) {
  const request = useChange((body: Targeting & { comment?: string; scheduledFor?: string }) =>
    client.PUT("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
      params: {
        path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key },
        header: ifMatch(state.base.version),
      },
      body,
    }),
  );
  const save = async (saved: SavedTargeting, draft: Draft, later?: Later): Promise<Outcome<SavedTargeting>> => {
    const comment = state.comment.trim();
    const note = { ...(comment && { comment }), ...(later && { scheduledFor: later.scheduledFor }) };
    const outcome = await request.run({ ...toTargeting(later?.draft ?? draft), ...note });
    if (outcome.kind === "done") {
      state.finish(outcome.value, draft);
      toast(savedToast(title));
    } else if (outcome.kind === "approvalRequested") {
      state.finish(saved, draft);
      toast(requestedOrScheduled(project, outcome.approval, title));
    }
    return outcome;
  };
  return { save, pending: request.pending, problem: request.problem, reset: request.reset };
}

export function savedToast(title: string): Toast {
  return { tone: "good", text: `${title} was saved.` };
}
