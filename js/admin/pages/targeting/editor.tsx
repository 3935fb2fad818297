// The targeting as it is edited: on or off, off variant, rules, preview, and at the foot what is not saved yet.
import { useEffect, useMemo, useRef, useState } from "react";
import { Form as AriaForm } from "react-aria-components";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { Switch } from "../../parts/choice/switch.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { FieldErrors } from "../../parts/form/field.js";
import { Section } from "../../parts/layout/page.js";
import { ConflictDialog } from "./conflict-dialog.js";
import { type Saved, type Targeting, toTargeting } from "./draft.js";
import { type Flaws, flawsOf, located } from "./flaws.js";
import type { PendingChange } from "./pending-change.js";
import { Preview } from "./preview.js";
import { ReviewDialog } from "./review-dialog.js";
import { RulesEditor } from "./rules-editor.js";
import { attributesOf, type Targeted } from "./targeted.js";
import { type DraftState, useDraft } from "./use-draft.js";

interface EditorProps {
  targeted: Targeted;
  saved: Saved;
  gates: readonly string[];
  pendingChange: PendingChange | undefined;
}

export function Editor({ targeted, saved, gates, pendingChange }: EditorProps) {
  const { project, feature, environment, audienceNames } = targeted;
  const address = `/projects/${project}/features/${feature.key}/environments/${environment.key}`;
  const title = `${feature.name} in ${environment.name}`;
  const state = useDraft(saved, { address, title, audiences: audienceNames });
  const { draft, update } = state;
  const [dialog, setDialog] = useState<"review" | "conflict">();
  const [flaws, setFlaws] = useState<{ found: Flaws; told: Flaws }>({ found: {}, told: {} });
  const [refusal, setRefusal] = useState<string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const [look, setLook] = useState(0);

  const save = useChange((body: Targeting & { comment?: string }) =>
    client.PUT("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
      params: {
        path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key },
        header: ifMatch(state.base.version),
      },
      body,
    }),
  );

  // The first field that something is wrong with, once it is marked.
  useEffect(() => {
    if (look > 0) form.current?.querySelector<HTMLElement>("[data-invalid] :is(input, textarea, button)")?.focus();
  }, [look]);

  const mark = (found: Flaws, told: Flaws = {}, elsewhere: string[] = []) => {
    setFlaws({ found, told });
    setRefusal(elsewhere);
    setLook((count) => count + 1);
  };
  const review = () => {
    const found = flawsOf(draft);
    mark(found);
    if (Object.keys(found).length > 0) return;
    save.reset();
    setDialog(state.overtaken ? "conflict" : "review");
  };
  const send = async () => {
    const comment = state.comment.trim();
    const outcome = await save.run({ ...toTargeting(draft), ...(comment && { comment }) });
    switch (outcome.kind) {
      case "done":
        setDialog(undefined);
        state.settle(outcome.value);
        toast({ tone: "good", text: `Saved: ${title}.` });
        break;
      case "approvalRequested": {
        setDialog(undefined);
        state.settle(saved);
        const link = { href: `/projects/${project}/approvals/${outcome.approval.id}`, label: "See the request" };
        toast({ tone: "note", text: `Approval requested: ${title}. Nothing has changed yet.`, link });
        break;
      }
      case "conflict":
        setDialog("conflict");
        break;
      case "refused": {
        const found = located(outcome.problem, draft);
        if (Object.keys(found.flaws).length === 0) break;
        setDialog(undefined);
        mark({}, found.flaws, found.elsewhere);
      }
    }
  };

  const targeting = useMemo(() => toTargeting(draft), [draft]);
  const current = useMemo(() => flawsOf(draft), [draft]);
  const unfinished = Object.keys(current).length > 0;
  // What was marked goes as soon as it is mended; what the server has said stays until it is asked again.
  const shown = useMemo(() => {
    const standing = Object.entries(flaws.found).filter(([name]) => name in current);
    return { ...Object.fromEntries(standing.map(([name]) => [name, current[name] as string])), ...flaws.told };
  }, [flaws, current]);
  const attributes = useMemo(() => attributesOf(draft, targeted.audiences), [draft, targeted.audiences]);
  return (
    <>
      <div className="targeting-columns">
        <div className="targeting-main">
          <Notices state={state} saved={saved} onLook={() => setDialog("conflict")} refusal={refusal} />
          <AriaForm
            ref={form}
            className="targeting-form"
            validationBehavior="aria"
            onSubmit={(event) => event.preventDefault()}
          >
            <FieldErrors.Provider value={shown}>
              <Section title="State">
                <div className="targeting-state">
                  <Switch
                    label={draft.enabled ? "Targeting is on" : "Targeting is off"}
                    isSelected={draft.enabled}
                    onChange={(enabled) => update((old) => ({ ...old, enabled }))}
                  />
                  <Select
                    label="Off variant"
                    name="offVariantKey"
                    choices={feature.variants.map((key) => ({ key, label: key }))}
                    value={draft.offVariantKey}
                    onChange={(offVariantKey) => update((old) => ({ ...old, offVariantKey }))}
                    hint="For everyone while targeting is off, and for whom no rule matches."
                  />
                </div>
              </Section>
              <RulesEditor targeted={targeted} draft={draft} flaws={shown} update={update} />
            </FieldErrors.Provider>
          </AriaForm>
        </div>
        <aside className="targeting-aside">
          <Preview targeted={targeted} targeting={targeting} flawed={unfinished} attributes={attributes} />
        </aside>
      </div>
      {state.dirty && (
        <SaveBar
          state={state}
          waiting={pendingChange !== undefined}
          held={gates.length > 0}
          onReview={review}
          onDiscard={() => state.startOver(saved)}
        />
      )}
      {dialog === "review" && (
        <ReviewDialog
          targeted={targeted}
          state={state}
          gates={gates}
          problem={save.problem}
          pending={save.pending}
          onClose={() => setDialog(undefined)}
          onSave={() => void send()}
        />
      )}
      {dialog === "conflict" && (
        <ConflictDialog
          targeted={targeted}
          state={state}
          saved={saved}
          onClose={() => setDialog(undefined)}
          onOwn={() => {
            state.rebase();
            setDialog("review");
          }}
        />
      )}
    </>
  );
}

interface NoticesProps {
  state: DraftState;
  saved: Saved;
  refusal: readonly string[];
  onLook: () => void;
}

function Notices({ state, refusal, onLook }: NoticesProps) {
  return (
    <>
      {state.overtaken && (
        <Banner tone="warn" actions={<Button onPress={onLook}>Look at both sides</Button>}>
          Somebody else has changed this since you began. What you have entered is still here.
        </Banner>
      )}
      {state.found && state.dirty && (
        <Banner tone="note">These are your changes from before, kept in this tab. They are not saved yet.</Banner>
      )}
      {state.aside && (
        <Banner tone="note" actions={<Button onPress={state.bringBack}>Bring them back</Button>}>
          Your changes were put aside.
        </Banner>
      )}
      {refusal.length > 0 && (
        <Banner tone="bad">
          {refusal.map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
        </Banner>
      )}
    </>
  );
}

interface SaveBarProps {
  state: DraftState;
  /** A change waits for approval already. */
  waiting: boolean;
  held: boolean;
  onReview: () => void;
  onDiscard: () => void;
}

function SaveBar({ state, waiting, held, onReview, onDiscard }: SaveBarProps) {
  const count = state.changes.length;
  return (
    <section className="targeting-save" aria-label="Not saved yet">
      <p role="status">
        <strong>{count === 0 ? "Not finished" : count === 1 ? "1 change" : `${count} changes`}</strong>
        {waiting
          ? " · Another change waits for approval: this one cannot be saved before that is decided."
          : " · not saved yet"}
      </p>
      <Button kind="quiet" onPress={onDiscard}>
        Discard
      </Button>
      <Button kind="primary" isDisabled={waiting} onPress={onReview}>
        {held ? "Review and request approval…" : "Review and save…"}
      </Button>
    </section>
  );
}
