// Saved views: filters and orders of the list under a name, for the signed-in person alone.
import { useState } from "react";
import { Button, IconButton } from "../../parts/button/button.js";
import { Menu, type MenuAction } from "../../parts/button/menu.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { DialogForm } from "../../parts/dialog/dialog-form.js";
import { Icon } from "../../parts/display/icon.js";
import { toast } from "../../parts/feedback/toast.js";
import { TextField } from "../../parts/form/text-field.js";
import { useSearchParams } from "../../shown-url.js";
import type { PreferenceControls } from "./preferences.js";

type ViewsProps = Pick<PreferenceControls, "views" | "saveView" | "deleteView">;

export function Views({ views, saveView, deleteView }: ViewsProps) {
  const [params, setParams] = useSearchParams();
  const [dialog, setDialog] = useState<"save" | "manage">();
  const actions: MenuAction[] = [
    ...views.map(({ name, query }) => ({ key: `view ${name}`, label: name, run: () => setParams(query) })),
    { key: "save", label: "Save this view…", icon: "plus", run: () => setDialog("save") },
    ...(views.length > 0
      ? [{ key: "manage", label: "Delete views…", icon: "trash" as const, run: () => setDialog("manage") }]
      : []),
  ];
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu label="Views" actions={actions}>
        <span className="button-text">Views</span>
        <Icon name="down" />
      </Menu>
      {dialog === "save" && (
        <SaveView
          names={views.map(({ name }) => name)}
          onSave={(name) => saveView({ name, query: params.toString() })}
          onClose={close}
        />
      )}
      {dialog === "manage" && <DeleteViews {...{ views, deleteView }} onClose={close} />}
    </>
  );
}

interface SaveViewProps {
  names: readonly string[];
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

function SaveView({ names, onSave, onClose }: SaveViewProps) {
  const [name, setName] = useState("");
  const [pending, setPending] = useState(false);
  const isKnown = names.includes(name.trim());
  const submit = async () => {
    setPending(true);
    const saved = await onSave(name.trim());
    setPending(false);
    if (!saved) return;
    toast({ tone: "good", text: `The view ${name.trim()} was saved.` });
    onClose();
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <DialogForm
        problem={undefined}
        pending={pending}
        submit={isKnown ? "Replace" : "Save"}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <p>The filters and the order of the list, for you alone.</p>
        <TextField
          label="Name"
          name="name"
          isRequired
          value={name}
          onChange={setName}
          hint={isKnown ? "You have a view of this name. It is replaced." : undefined}
        />
      </DialogForm>
    </Dialog>
  );
}

function DeleteViews({ views, deleteView, onClose }: Omit<ViewsProps, "saveView"> & { onClose: () => void }) {
  return (
    <Dialog title="Delete views" onClose={onClose}>
      <DialogBody>
        {views.length === 0 ? (
          <p>You have no saved views.</p>
        ) : (
          <ul className="features-views">
            {views.map(({ name }) => (
              <li key={name}>
                <bdi>{name}</bdi>
                <IconButton icon="trash" label={`Delete ${name}`} onPress={() => void deleteView(name)} />
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
