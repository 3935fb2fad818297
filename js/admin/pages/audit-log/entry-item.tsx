// One entry: who did what, which expands to show before and after.
import { useState } from "react";
import { Link } from "react-aria-components";
import { Diff } from "../../parts/display/diff.js";
import { Icon } from "../../parts/display/icon.js";
import { Time } from "../../parts/display/time.js";
import type { Entry } from "./entries.js";
import { actionText, pageUrl } from "./entry-text.js";

export function EntryItem({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false);
  const href = pageUrl(entry);
  return (
    <li className="audit-log-entry">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="audit-log-line">
          <Icon name="right" />
          <span className="audit-log-what">
            <span>
              <bdi className="audit-log-person">{entry.userName}</bdi> {actionText(entry)}
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
              {href && <Link href={href}>View</Link>}
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

function Change({ entry: { before, after } }: { entry: Entry }) {
  if (!before && !after) return <p>No details were recorded.</p>;
  return <Diff before={before ?? undefined} after={after ?? undefined} />;
}
