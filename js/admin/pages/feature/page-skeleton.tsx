// The page while it is loading.
import { Skeleton } from "../../parts/feedback/state.js";
import { EnvironmentSkeleton } from "./environment/environment-skeleton.js";

export function PageSkeleton() {
  return (
    <>
      <div className="feature-environments" aria-hidden="true">
        {["4rem", "5rem", "6rem"].map((width) => (
          <span key={width} className="feature-tab-skeleton">
            <Skeleton width={width} />
          </span>
        ))}
      </div>
      <EnvironmentSkeleton />
    </>
  );
}
