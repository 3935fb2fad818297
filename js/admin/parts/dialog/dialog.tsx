// A modal dialog; on a phone, a bottom sheet. When it closes, the focus returns to what opened it, or near it if that is gone
// (shell/kept-focus.ts). While its request is under way it stays open, so that nobody misses the answer. A click beside it closes it
// only if there is nothing in it to fill in.
import { type ReactNode, useRef, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { IconButton } from "../button/button.js";
import { FormInDialog, type FormState } from "./form-in-dialog.js";
import { useTabIntoParts } from "./use-tab-into-parts.js";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** `false`: no close button, and neither Escape nor a click outside closes it. */
  dismissable?: boolean;
  /** Whether its request is under way. A form in it says so itself. */
  pending?: boolean;
  role?: "dialog" | "alertdialog";
  wide?: boolean;
}

export function Dialog({ title, onClose, children, dismissable = true, role = "dialog", ...props }: DialogProps) {
  const [form, setForm] = useState<FormState>();
  const dialog = useRef<HTMLElement>(null);
  useTabIntoParts(dialog);
  const pending = props.pending || form === "pending";
  const closes = dismissable && !pending;
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable={closes && role === "dialog" && form === undefined}
      isKeyboardDismissDisabled={!closes}
    >
      <Modal className={props.wide ? "modal modal-wide" : "modal"}>
        <AriaDialog ref={dialog} className="dialog" role={role}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {dismissable && <IconButton icon="close" label="Close" isDisabled={pending} onPress={onClose} />}
          </header>
          <FormInDialog.Provider value={setForm}>{children}</FormInDialog.Provider>
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
