// The message after a change that needs approval or waits for its time, with a link to it.
import type { Approval } from "../../api/changes.js";
import { formatTime } from "../display/time.js";
import type { Toast } from "./toast.js";

/** `title` is what the change is of: `New checkout in Production`. */
export function requestedOrScheduled(project: string, approval: Approval, title: string): Toast {
  const { id, state, scheduledFor } = approval;
  if (state !== "scheduled" || !scheduledFor) {
    return approvalRequested(project, approval, `Approval requested for ${title}. Nothing has changed yet.`);
  }
  const link = { href: `/projects/${project}/approvals/${id}`, label: "View change" };
  return { tone: "good", text: `The change of ${title} is scheduled for ${formatTime(scheduledFor)}.`, link };
}

export function approvalRequested(project: string, approval: Approval, text: string): Toast {
  const link = { href: `/projects/${project}/approvals/${approval.id}`, label: "View request" };
  return { tone: "note", text, link };
}
