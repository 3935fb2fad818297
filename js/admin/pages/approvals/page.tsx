// Requests to approve changes: the inbox over all projects, the list of a project, and one request at its own address.
import { useParams } from "wouter";
import { ApprovalDetail } from "./approval-detail.js";
import { ApprovalList } from "./approval-list.js";
import { Inbox } from "./inbox.js";

export function Component() {
  const { project, id } = useParams();
  if (project === undefined) return <Inbox />;
  return id ? <ApprovalDetail key={id} project={project} id={id} /> : <ApprovalList project={project} />;
}
