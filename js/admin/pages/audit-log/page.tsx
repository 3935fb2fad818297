// The audit log, newest first: who changed what and when.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { useEntries } from "./entries.js";
import { EntryItem } from "./entry-item.js";
import { NO_FILTER, useFilter } from "./filter.js";
import { Filters } from "./filters.js";

export function Component() {
  const [filter, setFilter] = useFilter();
  const people = useQuery(wholeList("/api/v1/users"));
  const log = useEntries(filter);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  const filtered = Object.values(filter).some(Boolean);
  return (
    <Page title="Audit log" description="Every change, with who made it and what it changed. Entries can't be deleted.">
      <Filters filter={filter} people={people.data} onChange={setFilter} />
      {log.isError && !entries ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : entries?.length === 0 ? (
        <EmptyState
          icon={filtered ? "search" : "audit"}
          title={filtered ? "No matching entries" : "No entries yet"}
          action={filtered && <Button onPress={() => setFilter(NO_FILTER)}>Clear filters</Button>}
        />
      ) : (
        <>
          <ol className="audit-log" aria-label="Entries, newest first" aria-busy={entries === undefined}>
            {entries ? entries.map((entry) => <EntryItem key={entry.id} entry={entry} />) : <EntrySkeletons />}
          </ol>
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

function countText(count: number, more: boolean): string {
  const entries = `${count.toLocaleString("en-GB")} ${count === 1 ? "entry" : "entries"}`;
  return more ? `${entries} loaded, more available.` : `${entries} in total.`;
}

const SKELETONS = 12;

function EntrySkeletons() {
  return Array.from({ length: SKELETONS }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeletons are all alike
    <li key={index} className="audit-log-entry" aria-hidden="true">
      <div className="audit-log-line">
        <Skeleton width={`${14 + ((index * 7) % 11)}rem`} />
      </div>
    </li>
  ));
}
