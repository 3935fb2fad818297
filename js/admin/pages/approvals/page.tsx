// Changes of targeting that wait for somebody else: listed, or one of them read and decided on.
import { useParams } from "react-router";
import { ApprovalDetail } from "./approval-detail.js";
import { ApprovalList } from "./approval-list.js";

export function Component() {
  const { project = "", id } = useParams();
  return id ? <ApprovalDetail key={id} project={project} id={id} /> : <ApprovalList project={project} />;
}
