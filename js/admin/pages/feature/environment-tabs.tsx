// Links to the feature in each environment, with what is served there.
import { Link } from "wouter";
import { Icon } from "../../parts/display/icon.js";
import { Served } from "../../parts/feature/served.js";
import type { InEnvironment } from "./use-feature-page.js";

interface EnvironmentTabsProps {
  /** What all their addresses begin with. */
  address: string;
  current: string;
  places: readonly InEnvironment[];
}

export function EnvironmentTabs({ address, current, places }: EnvironmentTabsProps) {
  return (
    <nav className="feature-environments" aria-label="Feature environments">
      {places.map((place) => (
        <Link
          key={place.environment.key}
          href={`${address}/${place.environment.key}`}
          aria-current={place.environment.key === current ? "page" : undefined}
        >
          <Tab {...place} />
        </Link>
      ))}
    </nav>
  );
}

function Tab({ environment: { name, production }, saved, pendingChange, gates }: InEnvironment) {
  return (
    <>
      <strong className={production ? "production-mark" : undefined}>
        <bdi>{name}</bdi>
      </strong>{" "}
      <span className="feature-tab-state">
        {saved ? <Served state={saved} /> : "Not known"}{" "}
        {pendingChange ? (
          <span className="feature-tab-pending" title="A change is pending approval">
            <Icon name="pending" size={14} />
            <span className="visually-hidden">Approval pending</span>
          </span>
        ) : (
          gates.length > 0 && (
            <span className="feature-tab-gated" title={`Approval is required by ${gates.join(", ")}`}>
              <Icon name="approvals" size={14} />
              <span className="visually-hidden">Approval required</span>
            </span>
          )
        )}
      </span>
    </>
  );
}
