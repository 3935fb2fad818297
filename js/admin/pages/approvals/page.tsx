// Requests to approve changes: the list, and one request at its own address.
import { useParams } from "react-router";
import { ApprovalDetail } from "./approval-detail.js";
import { ApprovalList } from "./approval-list.js";

export function Component() {
  const { project = "", id } = useParams();
  return id ? <ApprovalDetail key={id} project={project} id={id} /> : <ApprovalList project={project} />;
}
