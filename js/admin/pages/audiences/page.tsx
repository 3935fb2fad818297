// Saved audiences: the list of them, and at an address of its own who is in one and where it is used.
import { useParams } from "react-router";
import { AudienceList } from "./audience-list.js";
import { OneAudience } from "./one-audience.js";

export function Component() {
  const { project = "", key } = useParams();
  return key === undefined ? (
    <AudienceList project={project} />
  ) : (
    <OneAudience key={`${project}/${key}`} project={project} audienceKey={key} />
  );
}
