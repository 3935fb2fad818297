// Edits a targeting: on or off, off variant and rules, with a preview, and a bar at the bottom to review and save.
import { type RefObject, useMemo, useState } from "react";
import { Form as AriaForm } from "react-aria-components";
import { FieldErrors } from "../../../parts/form/field.js";
import { type Draft, type SavedTargeting, toTargeting } from "../draft/draft.js";
import { type DraftState, useDraft } from "../draft/use-draft.js";
import type { Violations } from "../draft/violations.js";
import type { PendingChange } from "../pending-banner.js";
import { Preview } from "../preview/preview.js";
import { ConflictDialog } from "../review/conflict-dialog.js";
import { ReviewDialog } from "../review/review-dialog.js";
import { RulesEditor } from "../rules/rules-editor.js";
import { suggestedAttributes, type TargetingContext } from "../targeting-context.js";
import { Notices } from "./notices.js";
import { SaveBar } from "./save-bar.js";
import { StateSection } from "./state-section.js";
import { useSave } from "./use-save.js";
import { useViolations } from "./use-violations.js";

interface EditorProps {
  context: TargetingContext;
  saved: SavedTargeting;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
  pendingChange: PendingChange | undefined;
}

export function Editor({ context, saved, gates, pendingChange }: EditorProps) {
  const { project, feature, environment, audiences } = context;
  const address = `/projects/${project}/features/${feature.key}/environments/${environment.key}`;
  const title = `${feature.name} in ${environment.name}`;
  const state = useDraft(saved, { address, title, audiences: context.audienceNames });
  const { draft, update } = state;
  const { form, visible, isValid, withoutField, check, showReported } = useViolations(draft);
  const { save, pending, problem, reset } = useSave(context, state, title);
  const [dialog, setDialog] = useState<"review" | "conflict">();
  const close = () => setDialog(undefined);

  const review = () => {
    if (!check()) return;
    reset();
    setDialog(state.outdated ? "conflict" : "review");
  };
  const submit = async () => {
    const outcome = await save(saved);
    if (outcome.kind === "conflict") setDialog("conflict");
    else if (outcome.kind !== "refused" || showReported(outcome.problem)) close();
  };
  const keepMine = () => {
    state.rebase();
    setDialog("review");
  };

  const targeting = useMemo(() => toTargeting(draft), [draft]);
  const attributes = useMemo(() => suggestedAttributes(draft, audiences), [draft, audiences]);
  return (
    <>
      <div className="targeting-columns">
        <div className="targeting-main">
          <Notices state={state} errors={withoutField} onCompare={() => setDialog("conflict")} />
          <EditorForm form={form} context={context} draft={draft} violations={visible} update={update} />
        </div>
        <aside className="targeting-aside">
          <Preview context={context} targeting={targeting} isValid={isValid} attributes={attributes} />
        </aside>
      </div>
      {state.dirty && (
        <SaveBar
          changeCount={state.changes.length}
          isBlocked={pendingChange !== undefined}
          needsApproval={gates.length > 0}
          onReview={review}
          onDiscard={() => state.discard(saved)}
        />
      )}
      {dialog === "review" && (
        <ReviewDialog {...{ context, state, gates, problem, pending }} onSave={() => void submit()} onClose={close} />
      )}
      {dialog === "conflict" && <ConflictDialog {...{ context, state, saved }} onKeepMine={keepMine} onClose={close} />}
    </>
  );
}

interface EditorFormProps {
  form: RefObject<HTMLFormElement | null>;
  context: TargetingContext;
  draft: Draft;
  violations: Violations;
  update: DraftState["update"];
}

function EditorForm({ form, context, draft, violations, update }: EditorFormProps) {
  return (
    <AriaForm
      ref={form}
      className="targeting-form"
      validationBehavior="aria"
      onSubmit={(event) => event.preventDefault()}
    >
      <FieldErrors.Provider value={violations}>
        <StateSection draft={draft} variants={context.feature.variants} update={update} />
        <RulesEditor context={context} draft={draft} violations={violations} update={update} />
      </FieldErrors.Provider>
    </AriaForm>
  );
}
