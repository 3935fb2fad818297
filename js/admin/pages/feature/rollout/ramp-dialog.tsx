// Schedules a rollout in steps. Where an approval is required, each step is a request of its own.
import { useState } from "react";
import { Select } from "../../../parts/choice/select.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { formatTime } from "../../../parts/display/time.js";
import { ApprovalNote, CommentField } from "../../../parts/feature/approval-request.js";
import { formatThousandths } from "../../../parts/feature/percentage.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { DateTimeField } from "../../../parts/form/date-time-field.js";
import { TextField } from "../../../parts/form/text-field.js";
import type { SavedTargeting } from "../draft/draft.js";
import type { TargetingContext } from "../targeting-context.js";
import { DWELL_TIMES, parseSteps, type Step, stepsFrom, useRamp } from "./ramp.js";

interface RampDialogProps {
  context: TargetingContext;
  saved: SavedTargeting;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
  onClose: () => void;
}

export function RampDialog({ context, saved, gates, onClose }: RampDialogProps) {
  const { feature, environment } = context;
  const [percentages, setPercentages] = useState("5, 25, 50, 100");
  const [first, setFirst] = useState("");
  const [hours, setHours] = useState("24");
  const [comment, setComment] = useState("");
  const ramp = useRamp(context, saved, `${feature.name} in ${environment.name}`);
  const parsed = parseSteps(percentages);
  const steps = parsed && first ? stepsFrom(first, parsed, Number(hours)) : [];
  const submit = async () => {
    if (await ramp.run(steps, comment.trim())) onClose();
  };
  return (
    <Dialog title={`Roll out in steps in ${environment.name}`} onClose={onClose}>
      <DialogForm
        problem={ramp.problem}
        pending={ramp.pending}
        submit={gates.length > 0 ? "Request approvals" : "Schedule steps"}
        isSubmitDisabled={first !== "" && steps.length === 0}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        {gates.length > 0 && <ApprovalNote gates={gates} />}
        {ramp.scheduled > 0 && <Banner tone="warn">{scheduledAlready(ramp.scheduled)}</Banner>}
        <TextField
          isRequired
          label="Percentages"
          name="rules"
          value={percentages}
          onChange={setPercentages}
          hint={
            parsed ? "One after another, in percent." : "Write percentages from 0 to 100, with commas between them."
          }
        />
        <DateTimeField isRequired label="First step" name="scheduledFor" value={first} onChange={setFirst} />
        <Select label="Time between steps" choices={DWELL_TIMES} value={hours} onChange={setHours} />
        <StepList steps={steps} />
        <CommentField value={comment} onChange={setComment} forApprovers={gates.length > 0} />
      </DialogForm>
    </Dialog>
  );
}

function scheduledAlready(count: number): string {
  return `${count} of the steps ${count === 1 ? "is" : "are"} scheduled already.`;
}

function StepList({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <ol aria-label="Steps">
      {steps.map(({ thousandths, at }) => (
        <li key={at}>
          {formatThousandths(thousandths)}% at <time dateTime={at}>{formatTime(at)}</time>
        </li>
      ))}
    </ol>
  );
}
