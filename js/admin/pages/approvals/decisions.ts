// Decisions on requests: how each is sent, and how it went.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { problemText } from "../../api/problem.js";

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

interface Decisions {
  decide: (requests: readonly DecidableRequest[], verdict: Verdict, comment: string) => Promise<DecisionResult[]>;
  pending: boolean;
  /** How many have been sent. */
  done: number;
}

/** Decides on several requests, one after another. Each has its own answer. */
export function useDecisions(): Decisions {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const [pending, setPending] = useState(false);
  // Everything is read again once, after the last.
  const change = useChange(sendDecision, { refresh: [] });
  const decide: Decisions["decide"] = async (requests, verdict, comment) => {
    setPending(true);
    const results: DecisionResult[] = [];
    for (const request of requests) {
      setDone(results.length);
      const outcome = await change.run({ request, verdict, comment });
      const refused = outcome.kind === "refused" || outcome.kind === "conflict";
      results.push({ request, refusal: refused ? problemText(outcome.problem) : undefined });
    }
    await queries.invalidateQueries();
    setPending(false);
    return results;
  };
  return { decide, pending, done };
}
