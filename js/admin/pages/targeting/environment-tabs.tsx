// Links to the targeting of the feature in each environment.
import { Link } from "react-aria-components";
import { Skeleton } from "../../parts/feedback/state.js";
import type { Environment } from "./targeting-context.js";

interface EnvironmentTabsProps {
  /** The address of the feature. */
  featureAddress: string;
  current: string;
  /** Undefined while they are loading. */
  environments: readonly Environment[] | undefined;
}

export function EnvironmentTabs({ featureAddress, current, environments }: EnvironmentTabsProps) {
  return (
    <nav className="targeting-environments" aria-label="Feature environments">
      {environments?.map(({ key, name }) => (
        <Link
          key={key}
          href={`${featureAddress}/environments/${key}`}
          aria-current={key === current ? "page" : undefined}
        >
          <bdi>{name}</bdi>
        </Link>
      )) ?? <Skeleton width="12rem" />}
    </nav>
  );
}
