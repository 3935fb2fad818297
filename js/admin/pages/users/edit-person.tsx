// Another name or role for a person. It counts from the person's next request on.
import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useEdit } from "../../api/edit.js";
import { resource, type Versioned } from "../../api/queries.js";
import { readSession, useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { roleName } from "../../roles.js";
import { PEOPLE, PERSON, type Person } from "./people.js";
import { RoleChoice } from "./role-choice.js";

interface EditPersonProps {
  person: Person;
  onClose: () => void;
}

export function EditPerson({ person, onClose }: EditPersonProps) {
  const stored = useQuery(resource(PERSON, { path: { userId: person.id } }));
  return (
    <Dialog title="Change name or role" onClose={onClose}>
      {stored.isError ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : stored.data ? (
        <Fields stored={stored.data} onClose={onClose} />
      ) : (
        <DialogBody>
          <Skeleton width="100%" height="8rem" />
        </DialogBody>
      )}
    </Dialog>
  );
}

function Fields({ stored, onClose }: { stored: Versioned<Person>; onClose: () => void }) {
  const { user } = useSession();
  const { id, role: before } = stored.value;
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
    if (outcome.kind === "conflict") edit.meet();
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: role === before ? `Saved: ${name}.` : `${name} is ${roleName(role)} now.` });
    onClose();
    // What one may do oneself decides what the pages offer.
    if (id === user.id) await readSession().catch(() => {});
  };
  return (
    <Form problem={save.problem} onSubmit={() => void submit()}>
      <DialogBody>
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onTakeTheirs={edit.takeTheirs} />}
        <TextField
          label="Name"
          name="name"
          autoFocus
          isRequired
          value={name}
          onChange={(name) => edit.change({ name })}
        />
        <RoleChoice value={role} onChange={(role) => edit.change({ role })} />
        {id === user.id && before === "administrator" && role !== before && (
          <Banner tone="warn">This is you: afterwards only another administrator can give the role back.</Banner>
        )}
      </DialogBody>
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isDisabled={!edit.changed} isPending={save.pending}>
          Save
        </Button>
      </DialogButtons>
    </Form>
  );
}
