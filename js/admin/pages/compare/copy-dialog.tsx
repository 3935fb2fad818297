// Confirms a copy, then shows its results.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { CommentField } from "../../parts/feature/approval-request.js";
import { ScheduleField } from "../../parts/feature/schedule/schedule-field.js";
import type { Experiment } from "../../parts/feature/use-experiments.js";
import { Banner } from "../../parts/feedback/banner.js";
import { Form } from "../../parts/form/form.js";
import { type ComparedEnvironment, type ComparedFeature, needsApproval } from "./comparison.js";
import { type CopyResult, copyBody, type Settings, type useCopy } from "./copy.js";
import { CopyResults } from "./copy-results.js";
import { CopySummary } from "./copy-summary.js";

interface CopyDialogProps {
  project: string;
  source: ComparedEnvironment;
  target: ComparedEnvironment;
  /** Of the target; undefined as long as they are not known. */
  experiments: readonly Experiment[] | undefined;
  /** As they were when the dialog opened, even if the comparison changes. */
  features: readonly ComparedFeature[];
  settings: Settings;
  comment: string;
  onComment: (comment: string) => void;
  copy: ReturnType<typeof useCopy>;
  onCopied: () => void;
  onClose: () => void;
}

export function CopyDialog(props: CopyDialogProps) {
  const { project, target, features, copy, onClose } = props;
  const [result, setResult] = useState<CopyResult>();
  const close = () => {
    copy.reset();
    onClose();
  };
  const title = result ? "Copy results" : `${actionFor(features)} to ${target.name}?`;
  return (
    <Dialog title={title} onClose={close} role="alertdialog" wide>
      {result ? (
        <>
          <DialogBody>
            <CopyResults project={project} features={features} target={target} result={result} />
          </DialogBody>
          <DialogButtons>
            <Button kind="primary" autoFocus onPress={close}>
              Done
            </Button>
          </DialogButtons>
        </>
      ) : (
        <Confirmation {...props} onResult={setResult} onClose={close} />
      )}
    </Dialog>
  );
}

function actionFor(features: readonly ComparedFeature[]): string {
  const count = features.length === 1 ? "1 feature" : `${features.length.toLocaleString("en")} features`;
  return features.every(needsApproval) ? `Request approval to copy ${count}` : `Copy ${count}`;
}

function Confirmation(props: CopyDialogProps & { onResult: (result: CopyResult) => void }) {
  const { source, target, experiments, features, settings, comment, onComment, copy, onClose } = props;
  const [scheduledFor, setScheduledFor] = useState<string>();
  const send = async () => {
    const note = { comment, scheduledFor };
    const result = await copy.run(copyBody([source.key, target.key], features, settings, note));
    if (!result) return;
    props.onResult(result);
    props.onCopied();
  };
  return (
    <Form problem={copy.problem} pending={copy.pending} onSubmit={() => void send()}>
      <DialogBody>
        {copy.isInterrupted && (
          <Banner tone="warn">
            Some features may have been copied already. If you send the copy again, it continues with the others.
          </Banner>
        )}
        <CopySummary
          {...{ source, target, experiments, features, settings }}
          isScheduled={scheduledFor !== undefined}
        />
        <ScheduleField value={scheduledFor} onChange={setScheduledFor} />
        <CommentField value={comment} onChange={onComment} forApprovers={features.some(needsApproval)} />
      </DialogBody>
      <DialogButtons>
        <Button autoFocus isDisabled={copy.pending} onPress={onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" isPending={copy.pending}>
          {submitFor(target, features.every(needsApproval), scheduledFor !== undefined)}
        </Button>
      </DialogButtons>
    </Form>
  );
}

function submitFor(target: ComparedEnvironment, needsApproval: boolean, isScheduled: boolean): string {
  if (needsApproval) return "Request approval";
  return isScheduled ? `Schedule for ${target.name}` : `Copy to ${target.name}`;
}
