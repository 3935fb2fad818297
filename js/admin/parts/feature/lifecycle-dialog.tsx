// Asks before a feature is archived, and before it is restored where an approval is required.
import type { Problem } from "../../api/problem.js";
import { ChangeDialog } from "../dialog/change-dialog.js";

interface LifecycleDialogProps {
  name: string;
  to: "Active" | "Archived";
  gates: readonly string[];
  pending: boolean;
  problem: Problem | undefined;
  onConfirm: (comment: string) => void;
  onClose: () => void;
}

export function LifecycleDialog({ name, to, ...props }: LifecycleDialogProps) {
  const verb = to === "Archived" ? "Archive" : "Restore";
  return (
    <ChangeDialog
      {...props}
      title={`${verb} this feature?`}
      action={`${verb.toLowerCase()} this feature`}
      confirm={verb}
      kind={to === "Archived" ? "danger" : "primary"}
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        {to === "Archived" ? (
          <>
            will no longer be sent to clients in any environment: they use the default in their code, or{" "}
            <code>off</code>. Its targeting is kept, and you can restore it.
          </>
        ) : (
          "will be sent to clients again, with the targeting that it had."
        )}
      </p>
    </ChangeDialog>
  );
}
