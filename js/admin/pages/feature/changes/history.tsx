// The changes of this feature in this environment, from the audit log.
import { hasFailed } from "../../../api/queries.js";
import { Button } from "../../../parts/button/button.js";
import { ChangeList } from "../../../parts/changes/change-list.js";
import { changesBetween } from "../../../parts/changes/changes.js";
import { targetingLines } from "../../../parts/changes/descriptions.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import { LineDiff } from "../../../parts/display/diff.js";
import { ErrorState, Skeleton } from "../../../parts/feedback/state.js";
import { Section } from "../../../parts/layout/page.js";
import { sameTargeting } from "../draft/draft.js";
import type { TargetingContext } from "../targeting-context.js";
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

export interface Revert {
  /** Makes this targeting the draft, and opens the review. */
  to: (targeting: Targeting, comment: string) => void;
  saved: Targeting;
  /** While other changes are unsaved or pending. */
  isDisabled: boolean;
}

interface HistoryProps {
  context: TargetingContext;
  /** Missing if the person can't change the targeting. */
  revert?: Revert;
}

export function History({ context, revert }: HistoryProps) {
  const { project, feature, environment } = context;
  const history = useHistory(project, feature.key, environment.key);
  const entries = history.data?.pages
    .flatMap(({ items }) => items)
    .filter(({ after }) => targetingIn(after, environment.key) !== undefined);
  return (
    <Section title="History">
      {hasFailed(history) ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : entries === undefined ? (
        <HistorySkeleton />
      ) : entries.length === 0 ? (
        <p className="explanation">No changes yet.</p>
      ) : (
        <ol className="targeting-history">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} context={context} revert={revert} />
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

interface EntryProps {
  entry: AuditEntry;
  context: TargetingContext;
  revert: Revert | undefined;
}

function Entry({ entry, context, revert }: EntryProps) {
  const { environment, audienceNames } = context;
  const before = targetingIn(entry.before, environment.key) ?? EMPTY;
  const after = targetingIn(entry.after, environment.key) ?? EMPTY;
  const { comment } = (entry.after ?? {}) as AuditedTargetings;
  const changes = changesBetween([before, after], audienceNames);
  const at = DATE_TIME.format(new Date(entry.at));
  return (
    <li className="targeting-entry">
      <div className="targeting-entry-head">
        <strong>
          <bdi>{entry.userName}</bdi>
        </strong>
        <time dateTime={entry.at}>{at}</time>
        {revert && entry.before && !sameTargeting(before, revert.saved) && (
          <Button
            kind="quiet"
            icon="restore"
            aria-label={`Revert the change by ${entry.userName} on ${at}…`}
            isDisabled={revert.isDisabled}
            onPress={() => revert.to(before, `Reverts to before the change by ${entry.userName} on ${at}.`)}
          >
            Revert…
          </Button>
        )}
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
        <summary>
          Before and after
          <span className="visually-hidden">
            , <bdi>{entry.userName}</bdi>, {at}
          </span>
        </summary>
        <LineDiff before={targetingLines(before, audienceNames)} after={targetingLines(after, audienceNames)} />
      </details>
    </li>
  );
}
