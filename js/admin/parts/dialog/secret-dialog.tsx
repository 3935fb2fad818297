// Shows a new secret, the only time it can be seen. It stays open until the person confirms that they have copied it.
import type { ReactNode } from "react";
import { Button } from "../button/button.js";
import { Copyable } from "../button/copyable.js";
import { Banner } from "../feedback/banner.js";
import { Dialog, DialogBody, DialogButtons } from "./dialog.js";

interface SecretDialogProps {
  title: string;
  /** What the copy button copies: `token`. */
  label: string;
  secret: string;
  /** What it is for, and how to keep it. */
  children: ReactNode;
  onClose: () => void;
}

export function SecretDialog({ title, label, secret, children, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} dismissable={false} onClose={onClose}>
      <DialogBody>
        <Banner tone="warn">Copy it now. You won't be able to see it again.</Banner>
        <Copyable text={secret} label={label} />
        {children}
      </DialogBody>
      <DialogButtons>
        <Button kind="primary" onPress={onClose}>
          I've copied it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
