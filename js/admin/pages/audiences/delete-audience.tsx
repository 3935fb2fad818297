// An audience deleted, after a question; the server refuses while a rule uses it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { Banner } from "../../parts/banner.js";
import { Confirmation } from "../../parts/dialog.js";
import { toast } from "../../parts/toast.js";
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
  const confirm = async () => {
    const outcome = await remove.run(undefined);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: `The audience ${name} was deleted.` });
      onDeleted();
    } else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: "Somebody else has just changed this audience. It was not deleted; look again." });
      onClose();
    }
  };
  return (
    <Confirmation
      title="Delete this audience?"
      isOpen
      onClose={onClose}
      confirm="Delete the audience"
      kind="danger"
      onConfirm={() => void confirm()}
      pending={remove.pending}
    >
      {remove.problem && <Banner tone="bad">{remove.problem.detail}</Banner>}
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        is gone for good. No rule uses it, so nobody gets anything else.
      </p>
    </Confirmation>
  );
}
