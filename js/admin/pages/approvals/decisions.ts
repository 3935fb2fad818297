// Decisions on requests: how each is sent, and how it went.
import { client } from "../../api/client.js";
import { problemText } from "../../api/problem.js";
import { useBulk } from "../../parts/bulk/use-bulk.js";

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

export interface DecisionResult {
  request: DecidableRequest;
  /** Why the decision was refused; undefined if it was accepted. */
  refusal: string | undefined;
}

/** Decides on several requests, one after another. Each has its own answer. */
export function useDecisions() {
  const { run, ...progress } = useBulk(sendDecision);
  const decide = async (requests: readonly DecidableRequest[], verdict: Verdict, comment: string) => {
    const outcomes = await run(requests.map((request) => ({ request, verdict, comment })));
    return requests.map((request, index): DecisionResult => {
      const outcome = outcomes[index];
      const refused = outcome?.kind === "refused" || outcome?.kind === "conflict";
      return { request, refusal: refused ? problemText(outcome.problem) : undefined };
    });
  };
  return { ...progress, decide };
}
