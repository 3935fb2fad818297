// A person removed, after a question. The server keeps the last administrator, and says so.
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { PEOPLE, PERSON, type Person } from "./people.js";

export function RemovePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const { user } = useSession();
  const remove = useChange(() => client.DELETE(PERSON, { params: { path: { userId: person.id } } }), {
    refresh: [[PEOPLE], ["/api/v1/tokens"]],
  });
  const confirm = async () => {
    const outcome = await remove.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${person.name} was removed.` });
    onClose();
  };
  return (
    <ConfirmDialog
      title="Remove this person?"
      onClose={onClose}
      confirm="Remove"
      kind="danger"
      onConfirm={() => void confirm()}
      pending={remove.pending}
    >
      {remove.problem && <Banner tone="bad">{remove.problem.detail}</Banner>}
      <p>
        <strong>
          <bdi>{person.name}</bdi>
        </strong>{" "}
        can no longer sign in, and programs that use one of their tokens are refused from now on. What they did stays in
        the audit log.
      </p>
      {person.id === user.id && <p>This is you: you are signed out by it.</p>}
    </ConfirmDialog>
  );
}
