// The audit log, newest first and by day: who changed what, from what to what.
import { hasFailed } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { byDay } from "./days.js";
import { useEntries } from "./entries.js";
import type { Entry } from "./entry.js";
import { EntryItem } from "./entry-item.js";
import { NO_FILTER, useFilter } from "./filter.js";
import { Filters } from "./filters.js";
import { type Names, useNames } from "./names.js";

export function Component() {
  const [filter, setFilter] = useFilter();
  const log = useEntries(filter);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  const names = useNames(entries);
  const filtered = Object.values(filter).some(Boolean);
  const clear = <Button onPress={() => setFilter(NO_FILTER)}>Clear filters</Button>;
  return (
    <Page title="Audit log" description="Every change, with who made it and what it changed. Entries can't be deleted.">
      <Filters filter={filter} onChange={setFilter} />
      {hasFailed(log) ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : entries?.length === 0 ? (
        <EmptyState
          icon={filtered ? "search" : "audit"}
          title={filtered ? "No matching entries" : "No entries yet"}
          action={filtered && clear}
        />
      ) : (
        <>
          <section className="audit-log" aria-label="Entries, newest first" aria-busy={entries === undefined}>
            {entries ? (
              <Days entries={entries} names={names} withProject={names.hasSeveralProjects && !filter.project} />
            ) : (
              <EntrySkeletons />
            )}
          </section>
          <footer className="audit-log-more">
            {log.isFetchNextPageError && <ErrorState error={log.error} onRetry={() => void log.fetchNextPage()} />}
            {entries && !log.isFetchNextPageError && (
              <>
                <span role="status">{countText(entries.length, log.hasNextPage)}</span>
                {log.hasNextPage && (
                  <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                    Load older entries
                  </Button>
                )}
              </>
            )}
          </footer>
        </>
      )}
    </Page>
  );
}

interface DaysProps {
  entries: readonly Entry[];
  names: Names;
  withProject: boolean;
}

function Days({ entries, names, withProject }: DaysProps) {
  return byDay(entries).map(({ key, title, entries }) => (
    <section key={key} className="audit-log-day" aria-label={title}>
      <h2>{title}</h2>
      <ol className="audit-log-entries">
        {entries.map((entry) => (
          <EntryItem key={entry.id} entry={entry} names={names} withProject={withProject} />
        ))}
      </ol>
    </section>
  ));
}

function countText(count: number, more: boolean): string {
  const entries = `${count.toLocaleString("en-GB")} ${count === 1 ? "entry" : "entries"}`;
  return more ? `${entries} loaded, more available.` : `${entries} in total.`;
}

const SKELETONS = 8;

function EntrySkeletons() {
  return (
    <div className="audit-log-day" aria-hidden="true">
      <div className="audit-log-title">
        <Skeleton width="5rem" />
      </div>
      <div className="audit-log-entries">
        {Array.from({ length: SKELETONS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons are all alike
          <div key={index} className="audit-log-entry">
            <div className="audit-log-line">
              <Skeleton width={`${14 + ((index * 7) % 11)}rem`} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
