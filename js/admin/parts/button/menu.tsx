// A button that opens a menu of actions.
import type { ReactNode } from "react";
import { Button } from "react-aria-components/Button";
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
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

export function Menu({ label, children, actions }: MenuProps) {
  return (
    <MenuTrigger>
      <Button aria-label={label} className={children ? "button button-quiet" : "button button-quiet button-icon"}>
        {children ?? <Icon name="more" />}
      </Button>
      <Popover className="popover" placement="bottom end">
        <AriaMenu className="options" aria-label={label}>
          {actions.map(({ key, label, icon, danger, isDisabled, run }) => (
            <MenuItem
              key={key}
              id={key}
              onAction={run}
              isDisabled={isDisabled}
              className={danger ? "option option-danger" : "option"}
            >
              {icon && <Icon name={icon} />}
              <span className="option-main">{label}</span>
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
