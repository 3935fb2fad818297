// A modal dialog; on a phone, a bottom sheet. When it closes, the focus returns to what opened it.
import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { IconButton } from "../button/button.js";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** `false`: no close button, and neither Escape nor a click outside closes it. */
  dismissable?: boolean;
  role?: "dialog" | "alertdialog";
  wide?: boolean;
}

export function Dialog({ title, onClose, children, dismissable = true, role = "dialog", wide }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable={dismissable && role === "dialog"}
      isKeyboardDismissDisabled={!dismissable}
    >
      <Modal className={wide ? "modal modal-wide" : "modal"}>
        <AriaDialog className="dialog" role={role}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {dismissable && <IconButton icon="close" label="Close" onPress={onClose} />}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The content, which scrolls between the title and the buttons. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="dialog-body">{children}</div>;
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <footer className="dialog-buttons">{children}</footer>;
}
