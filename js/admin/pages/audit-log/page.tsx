// Who changed what, when, from what to what: newest first, read on as far as somebody looks.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { useEntries } from "./entries.js";
import { EntryLine } from "./entry-line.js";
import { useFilter } from "./filter.js";
import { Filters } from "./filters.js";

export function Component() {
  const [filter, setFilter, clear] = useFilter();
  const people = useQuery(wholeList("/api/v1/users"));
  const log = useEntries(filter);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  const narrowed = Object.values(filter).some(Boolean);
  return (
    <Page
      title="Audit log"
      description="Every change, who made it, and what it changed. Nothing is ever taken out of it."
    >
      <Filters filter={filter} people={people.data} onChange={setFilter} />
      {log.isError && !entries ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : entries?.length === 0 ? (
        <EmptyState
          icon={narrowed ? "search" : "audit"}
          title={narrowed ? "No entry matches" : "No entry yet"}
          action={narrowed && <Button onPress={clear}>Clear the filter</Button>}
        />
      ) : (
        <>
          <ol className="audit-log" aria-label="Entries, newest first" aria-busy={entries === undefined}>
            {entries ? entries.map((entry) => <EntryLine key={entry.id} entry={entry} />) : <StandIns />}
          </ol>
          <footer className="audit-log-more">
            {log.isFetchNextPageError && <ErrorState error={log.error} onRetry={() => void log.fetchNextPage()} />}
            {entries && !log.isFetchNextPageError && (
              <>
                <span role="status">
                  {entries.length.toLocaleString("en")} {entries.length === 1 ? "entry" : "entries"}
                  {log.hasNextPage ? ", and there are older ones." : ", to the very first."}
                </span>
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

const STAND_INS = 12;

function StandIns() {
  return Array.from({ length: STAND_INS }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins are all alike
    <li key={index} className="audit-log-entry" aria-hidden="true">
      <div className="audit-log-line">
        <Skeleton width={`${14 + ((index * 7) % 11)}rem`} />
      </div>
    </li>
  ));
}
