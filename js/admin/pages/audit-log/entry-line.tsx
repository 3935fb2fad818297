// One entry: a line that says who did what, and unfolded what it was before and is after.
import { useState } from "react";
import { Link } from "react-aria-components";
import { Diff } from "../../parts/display/diff.js";
import { Icon } from "../../parts/display/icon.js";
import { Time } from "../../parts/display/time.js";
import type { Entry } from "./entries.js";
import { pageOf, saidOf } from "./words.js";

export function EntryLine({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false);
  const href = pageOf(entry);
  return (
    <li className="audit-log-entry">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="audit-log-line">
          <Icon name="right" />
          <span className="audit-log-what">
            <span>
              <bdi className="audit-log-who">{entry.userName}</bdi> {saidOf(entry)}
            </span>
            <code className="audit-log-resource">{entry.resource}</code>
          </span>
          <span className="audit-log-when">
            <Time at={entry.at} />
          </span>
        </summary>
        {open && (
          <div className="audit-log-change">
            <Change entry={entry} />
            <p className="audit-log-facts">
              <code>{entry.action}</code>
              {href && <Link href={href}>Open it</Link>}
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

function Change({ entry: { before, after } }: { entry: Entry }) {
  if (!before && !after) return <p>Nothing but the action itself was recorded.</p>;
  return <Diff before={before ?? undefined} after={after ?? undefined} />;
}
