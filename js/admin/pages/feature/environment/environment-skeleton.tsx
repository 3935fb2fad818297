// The feature in an environment while it is loading, in the size that it usually has.
import { Skeleton } from "../../../parts/feedback/state.js";
import { Section } from "../../../parts/layout/page.js";

export function EnvironmentSkeleton() {
  return (
    <div className="targeting-columns" aria-busy="true">
      <div className="targeting-main">
        <Section title="State">
          <div className="targeting-skeleton-state">
            <Skeleton width="9rem" height="1.25rem" />
          </div>
        </Section>
        <Section title="Rules">
          <div className="targeting-skeleton-rules">
            <Skeleton width="60%" />
            <Skeleton width="100%" height="10rem" />
          </div>
        </Section>
      </div>
      <aside className="targeting-aside">
        <Section title="Test a user">
          <div className="targeting-skeleton-preview">
            <Skeleton width="100%" height="2rem" />
          </div>
        </Section>
      </aside>
    </div>
  );
}
