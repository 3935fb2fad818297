// How a draft is saved: after a review, or at once where nobody has to be asked. Conflicts and refusals come back to the page.
import { useEffect, useState } from "react";
import { isUnanswered } from "../../../api/problem.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import { toast } from "../../../parts/feedback/toast.js";
import type { Draft, SavedTargeting } from "../draft/draft.js";
import type { DraftState } from "../draft/use-draft.js";
import { rolledOut } from "../rollout/rollout.js";
import type { TargetingContext } from "../targeting-context.js";
import { type Later, savedToast, useSave } from "./use-save.js";
import type { useViolations } from "./use-violations.js";

interface ReviewOptions {
  context: TargetingContext;
  saved: SavedTargeting;
  state: DraftState;
  violations: ReturnType<typeof useViolations>;
  /** `New checkout in Production` */
  title: string;
  /** Whether a rollout without other changes is reviewed too. */
  reviewsRollout: boolean;
}

export function useReview({ context, saved, state, violations, title, reviewsRollout }: ReviewOptions) {
  const { save, pending, problem, reset } = useSave(context, state, title);
  const [asked, setAsked] = useState<"review" | "conflict" | "ramp">();
  const close = () => setAsked(undefined);

  const review = () => {
    if (!violations.check()) return;
    reset();
    setAsked(state.outdated ? "conflict" : "review");
  };
  const submit = async (draft: Draft = state.draft, later?: Later) => {
    const outcome = await save(saved, draft, later);
    // The rules on the page are not those of a change on top of another one.
    const isOnPage = later === undefined || later.draft === draft;
    if (outcome.kind === "conflict") setAsked("conflict");
    else if (outcome.kind !== "refused") close();
    else if (isOnPage && violations.showReported(outcome.problem)) close();
    else setAsked("review");
  };
  const rollOut = (thousandths: number) => {
    const draft = rolledOut(state.draft, thousandths);
    state.update(() => draft);
    // Other changes, or an incomplete one, are not saved unseen.
    if (state.dirty && !violations.isValid) violations.check();
    else if (!state.dirty && !reviewsRollout) void submit(draft);
    else {
      reset();
      setAsked(state.outdated ? "conflict" : "review");
    }
  };
  const revertTo = (before: Targeting, comment: string) => {
    state.replace(before, saved, comment);
    reset();
    setAsked("review");
  };
  // After a conflict, or after no answer, the draft can be what is saved: then it was saved.
  const isSaved =
    !state.dirty &&
    !pending &&
    (asked === "conflict" || (asked === "review" && problem !== undefined && isUnanswered(problem)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!isSaved) return;
    state.finish(saved, state.draft);
    reset();
    close();
    toast(savedToast(title));
  }, [isSaved]);
  return {
    // A conflict with a switch alone is resolved without the person.
    dialog: asked === "conflict" && !state.outdated ? "review" : asked,
    ...{ setAsked, close, review, submit, rollOut, revertTo, pending, problem },
  };
}
