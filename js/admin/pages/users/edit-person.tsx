// Edits the name and the role of a person. A new role applies to the person's next request.
import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useEdit } from "../../api/edit.js";
import { hasFailed, resource, type Versioned } from "../../api/queries.js";
import { readSession, useSession } from "../../api/session.js";
import { Dialog, DialogBody } from "../../parts/dialog/dialog.js";
import { DialogForm } from "../../parts/dialog/dialog-form.js";
import { Banner } from "../../parts/feedback/banner.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { TextField } from "../../parts/form/text-field.js";
import { roleName } from "../../roles.js";
import { PEOPLE, PERSON, type Person } from "./people.js";
import { RoleSelect } from "./role.js";

interface EditPersonProps {
  person: Person;
  onClose: () => void;
}

export function EditPerson({ person, onClose }: EditPersonProps) {
  const stored = useQuery(resource(PERSON, { path: { userId: person.id } }));
  return (
    <Dialog title="Edit person" onClose={onClose}>
      {hasFailed(stored) ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : stored.data ? (
        <PersonForm stored={stored.data} onClose={onClose} />
      ) : (
        <DialogBody>
          <Skeleton width="100%" height="8rem" />
        </DialogBody>
      )}
    </Dialog>
  );
}

function PersonForm({ stored, onClose }: { stored: Versioned<Person>; onClose: () => void }) {
  const { user } = useSession();
  const { id, role: storedRole, identity } = stored.value;
  const edit = useEdit(stored, ({ name, role }) => ({ name, role }));
  const { name, role } = edit.draft;
  const save = useChange(
    () =>
      client.PATCH(PERSON, {
        params: { path: { userId: id }, header: ifMatch(edit.version) },
        body: edit.draft,
      }),
    { refresh: [[PEOPLE], [PERSON]] },
  );
  const submit = async () => {
    const outcome = await save.run(undefined);
    if (outcome.kind === "conflict") edit.reportConflict();
    if (outcome.kind !== "done") return;
    const text = role === storedRole ? `${name} was saved.` : `${name} now has the ${roleName(role)} role.`;
    toast({ tone: "good", text });
    onClose();
    // Your role may have changed, and the pages show what it allows.
    if (id === user.id) await readSession().catch(() => {});
  };
  return (
    <DialogForm
      problem={save.problem}
      pending={save.pending}
      submit="Save"
      isSubmitDisabled={!edit.changed}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      {identity && (
        <Banner tone="note">
          The identity provider sets name and role at each sign-in. What you change here lasts until then.
        </Banner>
      )}
      {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onUseTheirs={edit.reset} />}
      <TextField
        label="Name"
        name="name"
        autoFocus
        isRequired
        value={name}
        onChange={(name) => edit.update({ name })}
      />
      <RoleSelect value={role} onChange={(role) => edit.update({ role })} />
      {id === user.id && storedRole === "administrator" && role !== storedRole && (
        <Banner tone="warn">This is you. Only another administrator can give the role back to you.</Banner>
      )}
    </DialogForm>
  );
}
