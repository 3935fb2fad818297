// Removes a person after confirmation. The server refuses to remove the last administrator.
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { PEOPLE, PERSON, type Person } from "./people.js";

export function RemovePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const { user } = useSession();
  const { id, name, identity } = person;
  const remove = useChange(() => client.DELETE(PERSON, { params: { path: { userId: id } } }), {
    refresh: [[PEOPLE], ["/api/v1/tokens"]],
  });
  return (
    <DeleteDialog verb="Remove" kind="person" name={name} change={remove} onDone={onClose} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will no longer be able to sign in, and programs that use their tokens will be rejected. Their actions stay in
        the audit log.
      </p>
      <p>Changes that they requested or scheduled will not be made. Features that they own will have no owner.</p>
      {identity && <p>Single sign-on will refuse them, too, until an operator readmits them.</p>}
      {id === user.id && <p>This is you: you will be signed out.</p>}
    </DeleteDialog>
  );
}
