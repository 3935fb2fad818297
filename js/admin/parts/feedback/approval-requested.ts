// The message after a change that needs approval, with a link to the request.
import type { Approval } from "../../api/changes.js";
import type { Toast } from "./toast.js";

export function approvalRequested(project: string, approval: Approval, text: string): Toast {
  const link = { href: `/projects/${project}/approvals/${approval.id}`, label: "View request" };
  return { tone: "note", text, link };
}
