// Something stored deleted, after a question: told when it is gone, and left alone when somebody else has just changed it.
import type { ReactNode } from "react";
import type { Change } from "../api/changes.js";
import type { Problem } from "../api/problem.js";
import { Banner } from "./banner.js";
import { Confirmation } from "./dialog.js";
import { toast } from "./toast.js";

interface Deleting {
  /** What is deleted, by its name. */
  name: string;
  onClose: () => void;
  onDeleted: () => void;
}

export interface Deletion {
  confirm: () => void;
  pending: boolean;
  /** Why the server refused. */
  problem: Problem | undefined;
}

/** Deletes by `change`, which `useChange` gave. */
export function deletionBy(change: Change<undefined, unknown>, { name, onClose, onDeleted }: Deleting): Deletion {
  const { run, pending, problem } = change;
  const confirm = async () => {
    const outcome = await run(undefined);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: `${name} was deleted.` });
      onDeleted();
    } else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `Somebody else has just changed ${name}. It was not deleted; look again.` });
      onClose();
    }
  };
  return { confirm: () => void confirm(), pending, problem };
}

interface DeletionQuestionProps {
  /** What it is: `pipeline`. */
  kind: string;
  deletion: Deletion;
  onClose: () => void;
  /** What will happen, and to whom. */
  children: ReactNode;
}

export function DeletionQuestion({ kind, deletion, onClose, children }: DeletionQuestionProps) {
  return (
    <Confirmation
      title={`Delete this ${kind}?`}
      isOpen
      onClose={onClose}
      confirm={`Delete the ${kind}`}
      kind="danger"
      onConfirm={deletion.confirm}
      pending={deletion.pending}
    >
      {deletion.problem && <Banner tone="bad">{deletion.problem.detail}</Banner>}
      {children}
    </Confirmation>
  );
}
