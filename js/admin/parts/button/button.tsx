// Buttons: with text, as a link, and with only an icon.
import { type ReactNode, useState } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { Tooltip, TooltipTrigger } from "react-aria-components/Tooltip";
import { Link } from "wouter";
import { Icon, type IconName } from "../display/icon.js";

type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

interface ButtonProps extends Omit<AriaButtonProps, "children" | "className" | "style"> {
  kind?: ButtonKind;
  icon?: IconName;
  children: ReactNode;
}

/** A button that is disabled while it has the focus keeps it and does nothing: the browser would take the focus away. */
function useKeepsFocus(isDisabled = false) {
  const [hasFocus, setHasFocus] = useState(false);
  const keepsFocus = isDisabled && hasFocus;
  return { keepsFocus, focusProps: { isDisabled: isDisabled && !hasFocus, onFocusChange: setHasFocus } };
}

/**
 * While `isPending`, it keeps its width and focus and does nothing. (React Aria's own `isPending` leaves an unnamed image in its
 * live region for some seconds.)
 */
export function Button({ kind = "secondary", icon, children, isPending, onPress, type, ...props }: ButtonProps) {
  const { keepsFocus, focusProps } = useKeepsFocus(props.isDisabled);
  return (
    <AriaButton
      {...props}
      {...focusProps}
      {...(isPending || keepsFocus ? { "aria-disabled": true } : { onPress, type })}
      className={isPending ? `button button-${kind} button-pending` : `button button-${kind}`}
    >
      {icon && <Icon name={icon} />}
      <span className="button-text">{children}</span>
      {isPending && <span className="button-spinner" aria-hidden="true" />}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, "children" | "className" | "style" | "aria-label"> {
  icon: IconName;
  label: string;
}

/** The label is for screen readers and the tooltip. */
export function IconButton({ icon, label, onPress, ...props }: IconButtonProps) {
  const { keepsFocus, focusProps } = useKeepsFocus(props.isDisabled);
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        {...props}
        {...focusProps}
        {...(keepsFocus ? { "aria-disabled": true } : { onPress })}
        aria-label={label}
        className="button button-quiet button-icon"
      >
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  kind = "secondary",
  href,
  children,
}: {
  kind?: ButtonKind;
  href: string;
  children: ReactNode;
}) {
  return (
    <Link href={href} className={`button button-${kind}`}>
      <span className="button-text">{children}</span>
    </Link>
  );
}
