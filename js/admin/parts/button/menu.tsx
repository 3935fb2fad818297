// A button that opens a menu of actions. The button is a native one, and the menu exists while it is open: lists have hundreds.
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Menu as AriaMenu, MenuItem } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { flushSync } from "react-dom";
import { Icon, type IconName } from "../display/icon.js";

export interface MenuAction {
  key: string;
  label: string;
  icon?: IconName;
  danger?: boolean;
  isDisabled?: boolean;
  run: () => void;
}

interface MenuProps {
  label: string;
  /** The content of the button; by default three dots. */
  children?: ReactNode;
  actions: readonly MenuAction[];
}

/**
 * The keys that open the menu, and the action that they focus. The click that the browser makes of Enter or the space bar looks like one
 * of a screen reader, for which the focus would stay on the menu as a whole.
 */
const OPENING_KEYS: Record<string, "first" | "last"> = {
  Enter: "first",
  " ": "first",
  ArrowDown: "first",
  ArrowUp: "last",
};

export function Menu({ label, children, actions }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  /** Which action has the focus when the menu opens; undefined while it is closed. */
  const [focused, setFocused] = useState<"first" | "last">();
  const close = () => setFocused(undefined);
  const choose = ({ run }: MenuAction) => {
    // A dialog returns the focus to what has it when the dialog opens. That is the button, once the actions are gone.
    flushSync(close);
    button.current?.focus();
    run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const end = OPENING_KEYS[event.key];
    if (!end) return;
    event.preventDefault();
    setFocused(end);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={focused !== undefined}
        onClick={() => setFocused(focused ? undefined : "first")}
        onKeyDown={onKeyDown}
        className={children ? "button button-quiet" : "button button-quiet button-icon"}
      >
        {children ?? <Icon name="more" />}
      </button>
      {focused && (
        <Popover isOpen triggerRef={button} onOpenChange={close} className="popover" placement="bottom end">
          <AriaMenu className="options" aria-label={label} autoFocus={focused} onClose={close}>
            {actions.map((action) => (
              <MenuItem
                key={action.key}
                id={action.key}
                onAction={() => choose(action)}
                isDisabled={action.isDisabled}
                className={action.danger ? "option option-danger" : "option"}
              >
                {action.icon && <Icon name={action.icon} />}
                <span className="option-main">{action.label}</span>
              </MenuItem>
            ))}
          </AriaMenu>
        </Popover>
      )}
    </>
  );
}
