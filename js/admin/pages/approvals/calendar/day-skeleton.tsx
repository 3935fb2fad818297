// A day while the changes are loading.
import { Skeleton } from "../../../parts/feedback/state.js";

const CHANGES = 6;

export function DaySkeleton() {
  return (
    <div className="calendar-day" aria-hidden="true">
      <header>
        <Skeleton width="6rem" />
      </header>
      <div className="calendar-changes">
        {Array.from({ length: CHANGES }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons are all alike
          <div key={index} className="calendar-change">
            <Skeleton width="2.5rem" />
            <Skeleton width={`${9 + ((index * 5) % 7)}rem`} />
          </div>
        ))}
      </div>
    </div>
  );
}
