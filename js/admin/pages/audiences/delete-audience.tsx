// An audience deleted, after a question; the server refuses while a rule uses it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { DeletionQuestion, deletionBy } from "../../parts/deletion.js";
import { AUDIENCE, AUDIENCES, type Audience } from "./audiences.js";

interface DeleteAudienceProps {
  project: string;
  stored: Versioned<Audience>;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteAudience({ project, stored, onClose, onDeleted }: DeleteAudienceProps) {
  const { key, name } = stored.value;
  const remove = useChange(
    () =>
      client.DELETE(AUDIENCE, {
        params: { path: { projectKey: project, audienceKey: key }, header: ifMatch(stored.version) },
      }),
    { refresh: [[AUDIENCES]] },
  );
  const deletion = deletionBy(remove, { name, onClose, onDeleted });
  return (
    <DeletionQuestion kind="audience" deletion={deletion} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        is gone for good. No rule uses it, so nobody gets anything else.
      </p>
    </DeletionQuestion>
  );
}
