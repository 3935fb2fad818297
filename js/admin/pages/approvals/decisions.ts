// Decisions on requests: how each is sent, and how it went.
import { client } from "../../api/client.js";
import { isUnanswered, problemText } from "../../api/problem.js";
import { useBulk } from "../../parts/bulk/use-bulk.js";
import type { Approval, ApprovalState } from "./approvals.js";

export type BulkVerdict = "approve" | "reject";
export type Verdict = BulkVerdict | "cancel";

/** A request, and what a dialog says about it. */
export interface DecidableRequest {
  id: string;
  /** The key. */
  project: string;
  /** Undefined where all requests are of one project. */
  projectName?: string;
  featureName: string;
  environment: { name: string; production: boolean };
  /** When the change is made; without it, as soon as it is approved. */
  scheduledFor?: string | null | undefined;
}

interface Decision {
  request: Pick<DecidableRequest, "project" | "id">;
  verdict: Verdict;
  comment: string;
}

/** Sends a decision. */
export function sendDecision({ request: { project, id }, verdict, comment }: Decision) {
  return client.POST(`/api/v1/projects/{projectKey}/approvals/{approvalId}/${verdict}`, {
    params: { path: { projectKey: project, approvalId: id } },
    body: comment.trim() ? { comment } : {},
  });
}

/** The state that a decision has led to, or why it was refused. */
export type DecisionResult = { request: DecidableRequest } & (
  | { state: ApprovalState; refusal?: undefined }
  | { refusal: string; isUnanswered: boolean }
);

/** The answer is the request as it is now. */
export function decidedState({ value }: { value: Approval }): ApprovalState {
  return value.state;
}

/** Decides on several requests, one after another. Each has its own answer. */
export function useDecisions() {
  const { run, ...progress } = useBulk(sendDecision);
  const decide = async (requests: readonly DecidableRequest[], verdict: Verdict, comment: string) => {
    const outcomes = await run(requests.map((request) => ({ request, verdict, comment })));
    return requests.flatMap((request, index): DecisionResult[] => {
      const outcome = outcomes[index];
      if (outcome?.kind === "done") return [{ request, state: decidedState(outcome) }];
      return outcome?.kind === "refused" || outcome?.kind === "conflict"
        ? [{ request, refusal: problemText(outcome.problem), isUnanswered: isUnanswered(outcome.problem) }]
        : [];
    });
  };
  return { ...progress, decide };
}
