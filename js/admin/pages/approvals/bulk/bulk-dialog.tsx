// Confirms a decision on several requests, then shows the answer to each.
import { useState } from "react";
import { Button } from "../../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../../parts/dialog/dialog.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { Form } from "../../../parts/form/form.js";
import { TextField } from "../../../parts/form/text-field.js";
import type { BulkVerdict, DecidableRequest, DecisionResult } from "../decisions.js";
import { useDecisions } from "../decisions.js";
import { BulkResults, countOf, RequestList } from "./bulk-results.js";

interface BulkDialogProps {
  verdict: BulkVerdict;
  requests: readonly DecidableRequest[];
  comment: string;
  onComment: (comment: string) => void;
  /** Called when all have been answered. */
  onDecided: () => void;
  onClose: () => void;
}

export function BulkDialog(props: BulkDialogProps) {
  const { verdict, requests, onClose } = props;
  const [results, setResults] = useState<readonly DecisionResult[]>();
  const question = `${verdict === "approve" ? "Approve" : "Reject"} ${countOf(requests)}?`;
  return (
    <Dialog title={results ? "Results" : question} onClose={onClose} role="alertdialog" wide>
      {results ? (
        <>
          <DialogBody>
            <BulkResults verdict={verdict} results={results} />
          </DialogBody>
          <DialogButtons>
            <Button kind="primary" autoFocus onPress={onClose}>
              Done
            </Button>
          </DialogButtons>
        </>
      ) : (
        <Confirmation {...props} onResults={setResults} />
      )}
    </Dialog>
  );
}

const EFFECTS: Record<BulkVerdict, string> = {
  approve: "Each change is applied exactly as requested, a scheduled one at its time. A stale request is not applied.",
  reject: "The changes will not be applied. New ones can be requested.",
};

function Confirmation(props: BulkDialogProps & { onResults: (results: readonly DecisionResult[]) => void }) {
  const { verdict, requests, comment, onComment, onDecided, onClose, onResults } = props;
  const { decide, pending, done } = useDecisions();
  const isApproval = verdict === "approve";
  const submit = async () => {
    onResults(await decide(requests, verdict, comment));
    onDecided();
  };
  return (
    <Form problem={undefined} pending={pending} onSubmit={() => void submit()}>
      <DialogBody>
        {isApproval && <ProductionWarning requests={requests} />}
        <p>{EFFECTS[verdict]}</p>
        <RequestList requests={requests} />
        <TextField
          label="Comment"
          name="comment"
          isRequired={false}
          lines={3}
          value={comment}
          onChange={onComment}
          hint="Added to each request."
        />
      </DialogBody>
      <DialogButtons>
        <span className="bulk-progress" role="status">
          {pending && `${done.toLocaleString("en")} of ${countOf(requests)} decided`}
        </span>
        <Button autoFocus isDisabled={pending} onPress={onClose}>
          Back
        </Button>
        <Button kind={isApproval ? "primary" : "danger"} type="submit" isPending={pending}>
          {`${isApproval ? "Approve" : "Reject"} ${countOf(requests)}`}
        </Button>
      </DialogButtons>
    </Form>
  );
}

function ProductionWarning({ requests }: { requests: readonly DecidableRequest[] }) {
  const inProduction = requests.filter(({ environment }) => environment.production);
  const count = inProduction.length;
  if (count === 0) return null;
  return (
    <Banner tone="warn">
      {count === requests.length ? "All are" : count === 1 ? "One is" : `${count.toLocaleString("en")} are`} in
      production. Users get {count === 1 ? "this change" : "those changes"} {whenOf(inProduction)}.
    </Banner>
  );
}

function whenOf(requests: readonly DecidableRequest[]): string {
  const scheduled = requests.filter(({ scheduledFor }) => scheduledFor).length;
  if (scheduled === 0) return "immediately";
  if (scheduled === requests.length) return scheduled === 1 ? "at its time" : "at their times";
  return "immediately, or at its time if a change is scheduled";
}
