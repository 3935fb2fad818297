// A dialog that changes several features, one after another, and then shows how each went.
import { type ReactNode, useState } from "react";
import type { Outcome } from "../../api/changes.js";
import { isUnanswered, problemText } from "../../api/problem.js";
import { FeatureName, ResultList, ResultNotes } from "../../parts/bulk/result-list.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Form } from "../../parts/form/form.js";
import type { Feature } from "./features.js";

/** `1 feature`, `12 features` */
export function countOf({ length }: { length: number }): string {
  return `${length.toLocaleString("en")} ${length === 1 ? "feature" : "features"}`;
}

interface BulkDialogProps {
  project: string;
  features: readonly Feature[];
  title: string;
  /** The label of the button that makes the changes. */
  confirm: string;
  kind?: "primary" | "danger";
  isDisabled?: boolean;
  /** What a changed feature is now: `Archived`. */
  doneLabel: string;
  /** How many have been changed, while they are. */
  done: number;
  pending: boolean;
  /** Resolves to the outcomes in the order of the features. */
  run: () => Promise<Outcome<unknown>[]>;
  onDone: () => void;
  onClose: () => void;
  /** What will happen, and fields. */
  children: ReactNode;
}

export function BulkDialog(props: BulkDialogProps) {
  const { features, title, onClose } = props;
  const [outcomes, setOutcomes] = useState<readonly Outcome<unknown>[]>();
  const submit = async () => {
    setOutcomes(await props.run());
    props.onDone();
  };
  if (outcomes) return <Results {...props} outcomes={outcomes} />;
  return (
    <Dialog title={title} onClose={onClose} role="alertdialog" wide>
      <Form problem={undefined} pending={props.pending} onSubmit={() => void submit()}>
        <DialogBody>
          {props.children}
          <ResultList label="Features">
            {features.map(({ key, name }) => (
              <li key={key}>
                <FeatureName name={name} featureKey={key} />
              </li>
            ))}
          </ResultList>
        </DialogBody>
        <DialogButtons>
          <span className="bulk-progress" role="status">
            {props.pending && `${props.done.toLocaleString("en")} of ${countOf(features)} changed`}
          </span>
          <Button autoFocus isDisabled={props.pending} onPress={onClose}>
            Cancel
          </Button>
          <Button
            kind={props.kind ?? "primary"}
            type="submit"
            isDisabled={props.isDisabled === true}
            isPending={props.pending}
          >
            {props.confirm}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

function Results(props: BulkDialogProps & { outcomes: readonly Outcome<unknown>[] }) {
  const { project, features, outcomes, doneLabel, onClose } = props;
  return (
    <Dialog title="Results" onClose={onClose} role="alertdialog" wide>
      <DialogBody>
        <p role="status">{totals(outcomes)}.</p>
        <ResultList label="Results">
          {features.map(({ key, name }, index) => (
            <li key={key}>
              <FeatureName name={name} featureKey={key} />
              <Result {...{ project, name, doneLabel }} outcome={outcomes[index]} />
            </li>
          ))}
        </ResultList>
      </DialogBody>
      <DialogButtons>
        <Button kind="primary" autoFocus onPress={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** `2 features changed, 1 approval requested, 1 feature refused, 1 feature without an answer` */
function totals(outcomes: readonly Outcome<unknown>[]): string {
  const count = (...kinds: Outcome<unknown>["kind"][]) => outcomes.filter(({ kind }) => kinds.includes(kind)).length;
  const unanswered = outcomes.filter((outcome) => outcome.kind === "refused" && isUnanswered(outcome.problem)).length;
  const [done, requested] = [count("done"), count("approvalRequested")];
  const refused = count("refused", "conflict") - unanswered;
  return [
    ...(done > 0 ? [`${countOf({ length: done })} changed`] : []),
    ...(requested > 0
      ? [`${requested.toLocaleString("en")} ${requested === 1 ? "approval" : "approvals"} requested`]
      : []),
    ...(refused > 0 ? [`${countOf({ length: refused })} refused`] : []),
    ...(unanswered > 0 ? [`${countOf({ length: unanswered })} without an answer`] : []),
  ].join(", ");
}

interface ResultProps {
  project: string;
  name: string;
  doneLabel: string;
  outcome: Outcome<unknown> | undefined;
}

function Result({ project, name, doneLabel, outcome }: ResultProps) {
  if (outcome?.kind === "approvalRequested") {
    const request = { href: `/projects/${project}/approvals/${outcome.approval.id}`, name };
    return <ResultNotes tone="accent" label="Pending approval" request={request} />;
  }
  if (outcome?.kind === "refused" || outcome?.kind === "conflict") {
    return (
      <ResultNotes tone="bad" label={isUnanswered(outcome.problem) ? "No answer" : "Not changed"}>
        <bdi>{problemText(outcome.problem)}</bdi>
      </ResultNotes>
    );
  }
  return <ResultNotes tone="good" label={doneLabel} />;
}
