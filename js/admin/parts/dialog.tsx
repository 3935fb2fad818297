// A dialog over the page: a sheet from below on a telephone. What opens it gets the focus back.
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button, IconButton } from "./button.js";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** For an answer that has to be given: neither Escape nor a click beside it closes it. */
  isModalOnly?: boolean;
  role?: "dialog" | "alertdialog";
  wide?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, isModalOnly, role = "dialog", wide }: DialogProps) {
  return (
    <ModalOverlay
      className="veil"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isModalOnly && role === "dialog"}
      isKeyboardDismissDisabled={isModalOnly === true}
    >
      <Modal className={wide ? "modal modal-wide" : "modal"}>
        <AriaDialog className="dialog" role={role}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!isModalOnly && <IconButton icon="close" label="Close" onPress={onClose} />}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Its content scrolls between title and buttons. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="dialog-body">{children}</div>;
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <footer className="dialog-buttons">{children}</footer>;
}

interface ConfirmationProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** Says what is done: `Switch on in Production`, and never `OK`. */
  confirm: string;
  kind?: "primary" | "danger";
  onConfirm: () => void;
  pending?: boolean;
}

/** A question before something that users notice or that cannot be taken back. The focus begins on Cancel. */
export function Confirmation({ confirm, kind = "primary", onConfirm, pending, children, ...props }: ConfirmationProps) {
  return (
    <Dialog {...props} role="alertdialog">
      <DialogBody>{children}</DialogBody>
      <DialogButtons>
        <Button autoFocus onPress={props.onClose}>
          Cancel
        </Button>
        <Button kind={kind} onPress={onConfirm} isPending={pending}>
          {confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
