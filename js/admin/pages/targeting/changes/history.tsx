// The changes of this feature in this environment, from the audit log.
import { Button } from "../../../parts/button/button.js";
import { LineDiff } from "../../../parts/display/diff.js";
import { ErrorState, Skeleton } from "../../../parts/feedback/state.js";
import { Section } from "../../../parts/layout/page.js";
import { targetingLines } from "../descriptions.js";
import type { Targeting } from "../draft/draft.js";
import type { TargetingContext } from "../targeting-context.js";
import { ChangeList } from "./change-list.js";
import { changesBetween } from "./changes.js";
import { type AuditEntry, useHistory } from "./use-history.js";

/** What an audit entry contains about targeting. */
interface AuditedTargetings {
  comment?: string;
  targetings?: { environmentKey: string; targeting: Targeting }[];
}

const DATE_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

function targetingIn(state: unknown, environment: string): Targeting | undefined {
  const { targetings } = (state ?? {}) as AuditedTargetings;
  return targetings?.find(({ environmentKey }) => environmentKey === environment)?.targeting;
}

export function History({ context }: { context: TargetingContext }) {
  const { project, feature, environment } = context;
  const history = useHistory(project, feature.key, environment.key);
  const entries = history.data?.pages
    .flatMap(({ items }) => items)
    .filter(({ after }) => targetingIn(after, environment.key) !== undefined);
  return (
    <Section title="History">
      {history.isError ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : entries === undefined ? (
        <HistorySkeleton />
      ) : entries.length === 0 ? (
        <p className="explanation">No changes yet.</p>
      ) : (
        <ol className="targeting-history">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} context={context} />
          ))}
        </ol>
      )}
      {history.hasNextPage && (
        <div>
          <Button isPending={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
            Show older changes
          </Button>
        </div>
      )}
    </Section>
  );
}

function HistorySkeleton() {
  return (
    <div aria-busy="true" className="targeting-history">
      {["14rem", "11rem", "16rem"].map((width) => (
        <div key={width} className="targeting-entry">
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}

/** The targeting before a feature's first change. */
const EMPTY: Targeting = { enabled: false, offVariantKey: "off", rules: [] };

function Entry({ entry, context }: { entry: AuditEntry; context: TargetingContext }) {
  const { environment, audienceNames } = context;
  const before = targetingIn(entry.before, environment.key) ?? EMPTY;
  const after = targetingIn(entry.after, environment.key) ?? EMPTY;
  const { comment } = (entry.after ?? {}) as AuditedTargetings;
  const changes = changesBetween([before, after], audienceNames);
  return (
    <li className="targeting-entry">
      <div className="targeting-entry-head">
        <strong>
          <bdi>{entry.userName}</bdi>
        </strong>
        <time dateTime={entry.at}>{DATE_TIME.format(new Date(entry.at))}</time>
      </div>
      {comment && (
        <blockquote className="targeting-comment">
          <bdi>{comment}</bdi>
        </blockquote>
      )}
      {changes.length > 0 ? (
        <ChangeList changes={changes} label="Changes" />
      ) : (
        <p className="explanation">{entry.before ? "No change for users." : "Feature created."}</p>
      )}
      <details>
        <summary>Before and after</summary>
        <LineDiff before={targetingLines(before, audienceNames)} after={targetingLines(after, audienceNames)} />
      </details>
    </li>
  );
}
