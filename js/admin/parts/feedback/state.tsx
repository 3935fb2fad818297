// What is shown instead of data: an empty state, an error, or a skeleton while it loads.
import type { ReactNode } from "react";
import { problemFrom, problemText } from "../../api/problem.js";
import { Button } from "../button/button.js";
import { Icon, type IconName } from "../display/icon.js";

interface EmptyStateProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={20} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = problemFrom(error);
  const missing = problem.status === 404;
  return (
    <div className="state state-bad" role="alert">
      <span className="state-icon">
        <Icon name="warning" size={20} />
      </span>
      <h2>{missing ? "Not found" : "This could not be loaded"}</h2>
      <p>{problemText(problem)}</p>
      {onRetry && !missing && <Button onPress={onRetry}>Try again</Button>}
    </div>
  );
}

/** A placeholder of the size of the text to come. Give it the width of a typical value: `8rem`, `60%`. */
export function Skeleton({ width, height = "0.75rem" }: { width: string; height?: string }) {
  return <span className="skeleton" aria-hidden="true" style={{ width, height }} />;
}
