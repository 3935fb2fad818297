// One step of the first run: done, current or still to come, with a mark that says which.
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Icon } from "../../parts/display/icon.js";

export type StepState = "done" | "current" | "upcoming";

interface StepProps {
  number: number;
  title: string;
  state: StepState;
  /** What was done, or what it will be about. Shown unless there are `children`. */
  summary: ReactNode;
  /** The person has just brought it about: the heading gets the focus, because the form with the focus is gone. */
  takesFocus?: boolean;
  children?: ReactNode;
}

const SPOKEN: Record<StepState, string> = { done: "done", current: "current step", upcoming: "not started" };

export function Step({ number, title, state, summary, takesFocus = false, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <li className={`start-step start-step-${state}`} aria-current={state === "current" ? "step" : undefined}>
      <span className="start-mark" aria-hidden="true">
        {state === "done" ? <Icon name="check" size={14} /> : number}
      </span>
      <section className="start-body" aria-label={title}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
          <span className="visually-hidden"> ({SPOKEN[state]})</span>
        </h2>
        {children || <p className="explanation">{summary}</p>}
      </section>
    </li>
  );
}
