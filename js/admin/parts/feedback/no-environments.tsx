// What a page shows that needs an environment, in a project without one.
import type { ReactNode } from "react";
import { LinkButton } from "../button/button.js";
import { EmptyState } from "./state.js";

interface NoEnvironmentsProps {
  project: string;
  /** What the page needs an environment for. */
  children: ReactNode;
}

export function NoEnvironments({ project, children }: NoEnvironmentsProps) {
  return (
    <EmptyState
      icon="environments"
      title="No environments yet"
      action={<LinkButton href={`/projects/${project}/environments`}>Go to environments</LinkButton>}
    >
      {children}
    </EmptyState>
  );
}
