// Saved audiences: the list, and one audience at its own address.
import { useParams } from "wouter";
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
