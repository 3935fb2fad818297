// Saves the filters and the order of the feature list under a name.
import { useState } from "react";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { toast } from "../../../parts/feedback/toast.js";
import { TextField } from "../../../parts/form/text-field.js";

interface SaveViewProps {
  names: readonly string[];
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

export function SaveView({ names, onSave, onClose }: SaveViewProps) {
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
          autoFocus
          value={name}
          onChange={setName}
          hint={isKnown ? "You have a view of this name. It is replaced." : undefined}
        />
      </DialogForm>
    </Dialog>
  );
}
