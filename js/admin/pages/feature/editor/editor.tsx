// Edits a targeting: rollout, off variant and rules, with a preview, and a bar at the bottom to review and save.
import { type ReactNode, type RefObject, useMemo } from "react";
import { Form as AriaForm } from "react-aria-components/Form";
import { FieldErrors } from "../../../parts/form/field.js";
import { History } from "../changes/history.js";
import { type SavedTargeting, toTargeting } from "../draft/draft.js";
import { type DraftState, useDraft } from "../draft/use-draft.js";
import type { Violations } from "../draft/violations.js";
import type { WaitingChange } from "../feature.js";
import { Preview } from "../preview/preview.js";
import { ConflictDialog } from "../review/conflict-dialog.js";
import { ReviewDialog } from "../review/review-dialog.js";
import { RampDialog } from "../rollout/ramp-dialog.js";
import { Rollout } from "../rollout/rollout-section.js";
import { RulesEditor } from "../rules/rules-editor.js";
import { suggestedAttributes, type TargetingContext } from "../targeting-context.js";
import { Notices } from "./notices.js";
import { SaveBar } from "./save-bar.js";
import { StateSection } from "./state-section.js";
import { useReview } from "./use-review.js";
import { useViolations } from "./use-violations.js";

interface EditorProps {
  context: TargetingContext;
  saved: SavedTargeting;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
  pendingChange: WaitingChange | undefined;
  /** Shown between the editor and the history. */
  children: ReactNode;
}

export function Editor({ context, saved, gates, pendingChange, children }: EditorProps) {
  const { project, feature, environment, audiences } = context;
  const address = `/projects/${project}/features/${feature.key}/environments/${environment.key}`;
  const title = `${feature.name} in ${environment.name}`;
  const state = useDraft(saved, { address, title, audiences: context.audienceNames });
  const violations = useViolations(state.draft);
  const reviewsRollout = environment.production || gates.length > 0;
  const review = useReview({ context, saved, state, violations, title, reviewsRollout });
  const isBlocked = pendingChange !== undefined;
  const saving = review.pending;

  const targeting = useMemo(() => toTargeting(state.draft), [state.draft]);
  const attributes = useMemo(() => suggestedAttributes(state.draft, audiences), [state.draft, audiences]);
  return (
    <>
      <div className="targeting-columns">
        <div className="targeting-main">
          <Notices
            {...{ state, saving }}
            errors={violations.withoutField}
            onCompare={() => review.setAsked("conflict")}
          />
          {feature.type === "boolean" && (
            <Rollout
              draft={state.draft}
              reviewed={reviewsRollout || state.dirty}
              isBlocked={isBlocked}
              pending={saving && !review.dialog}
              onRollOut={review.rollOut}
              onRamp={state.dirty || saving ? undefined : () => review.setAsked("ramp")}
            />
          )}
          <EditorForm form={violations.form} context={context} state={state} violations={violations.visible} />
        </div>
        <aside className="targeting-aside">
          <Preview context={context} targeting={targeting} isValid={violations.isValid} attributes={attributes} />
        </aside>
      </div>
      {state.dirty && (
        <SaveBar
          changeCount={state.changes.length}
          {...{ isBlocked, saving }}
          needsApproval={gates.length > 0}
          onReview={review.review}
          onDiscard={() => state.discard(saved)}
        />
      )}
      {children}
      <History
        context={context}
        revert={{ to: review.revertTo, saved, isDisabled: isBlocked || state.dirty || saving }}
      />
      <Dialogs {...{ context, saved, state, gates, review }} />
    </>
  );
}

interface DialogsProps extends Pick<EditorProps, "context" | "saved" | "gates"> {
  state: DraftState;
  review: ReturnType<typeof useReview>;
}

function Dialogs({ context, saved, state, gates, review }: DialogsProps) {
  const { dialog, problem, pending, close } = review;
  if (dialog === "conflict") {
    const keepMine = () => {
      state.rebase();
      review.setAsked("review");
    };
    return <ConflictDialog {...{ context, state, saved }} onKeepMine={keepMine} onClose={close} />;
  }
  if (dialog === "ramp") return <RampDialog {...{ context, saved, gates }} onClose={close} />;
  if (dialog !== "review") return null;
  return (
    <ReviewDialog
      {...{ context, state, gates, problem, pending }}
      onSave={(later) => void review.submit(state.draft, later)}
      onClose={close}
    />
  );
}

interface EditorFormProps {
  form: RefObject<HTMLFormElement | null>;
  context: TargetingContext;
  state: DraftState;
  violations: Violations;
}

function EditorForm({ form, context, state: { draft, base, update }, violations }: EditorFormProps) {
  const { variants } = context.feature;
  return (
    <AriaForm
      ref={form}
      className="targeting-form"
      validationBehavior="aria"
      onSubmit={(event) => event.preventDefault()}
    >
      <FieldErrors.Provider value={violations}>
        <StateSection draft={draft} isOn={base.enabled} variants={variants} update={update} />
        <RulesEditor context={context} draft={draft} violations={violations} update={update} />
      </FieldErrors.Provider>
    </AriaForm>
  );
}
