// A secret in the only moment in which it can be seen: it stays until somebody says that it was copied.
import type { ReactNode } from "react";
import { Button } from "../button/button.js";
import { Copyable } from "../button/copyable.js";
import { Banner } from "../feedback/banner.js";
import { Dialog, DialogBody, DialogButtons } from "./dialog.js";

interface SecretDialogProps {
  title: string;
  /** What it is called beside the copy button: `token`. */
  label: string;
  secret: string;
  /** What it is for, and how it is kept. */
  children: ReactNode;
  onClose: () => void;
}

export function SecretDialog({ title, label, secret, children, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} dismissable={false} onClose={onClose}>
      <DialogBody>
        <Banner tone="warn">Copy it now: it is shown this once and never again.</Banner>
        <Copyable text={secret} label={label} />
        {children}
      </DialogBody>
      <DialogButtons>
        <Button kind="primary" onPress={onClose}>
          I have copied it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
