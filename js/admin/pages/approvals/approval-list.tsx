// The requests of a project by state, newest first.
import { useMemo } from "react";
import { Button } from "../../parts/button/button.js";
import { SegmentedControl } from "../../parts/choice/segmented-control.js";
import { Chip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page } from "../../parts/layout/page.js";
import { NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { type ApprovalSummary, formatTime, type Names, STATES, useApprovals, useNames } from "./approvals.js";
import { ALL, type ApprovalFilter, matchesFilter, useApprovalFilter } from "./filter.js";
import { ChangeKind } from "./request-facts.js";

const CHOICES = [...Object.entries(STATES).map(([key, { label }]) => ({ key, label })), { key: ALL, label: "All" }];

export function ApprovalList({ project }: { project: string }) {
  const [filter, setFilter] = useApprovalFilter();
  const { state, search } = filter;
  const approvals = useApprovals(project, state === ALL ? undefined : state);
  const names = useNames(project);
  const rows = useMemo(
    () => (names.ready ? approvals.data?.filter((approval) => matchesFilter(approval, search, names)) : undefined),
    [approvals.data, search, names],
  );
  const columns = useMemo(() => columnsFor(project, names), [project, names]);
  return (
    <Page title="Approvals" badges={rows && <Count count={rows.length} />}>
      <Filters filter={filter} onChange={setFilter} />
      {approvals.isError ? (
        <ErrorState error={approvals.error} onRetry={() => void approvals.refetch()} />
      ) : approvals.data?.length === 0 ? (
        <EmptyState icon="approvals" title={state === ALL ? "No requests yet" : `No ${state} requests`}>
          {state === "pending" && "Changes that need approval appear here until another person decides on them."}
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No matching requests"
          action={<Button onPress={() => setFilter({ search: "" })}>Clear search</Button>}
        >
          None of the {approvals.data?.length} requests match the search.
        </EmptyState>
      ) : (
        <Table label="Approvals" columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={57} />
      )}
    </Page>
  );
}

function Count({ count }: { count: number }) {
  return (
    <span role="status">
      <Chip>
        {count.toLocaleString("en")}
        <span className="visually-hidden"> requests</span>
      </Chip>
    </span>
  );
}

interface FiltersProps {
  filter: ApprovalFilter;
  onChange: (change: Partial<ApprovalFilter>) => void;
}

function Filters({ filter: { state, search }, onChange }: FiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of filters, not a fieldset
    <div className="approvals-tools" role="group" aria-label="Filter">
      <SegmentedControl
        label="State"
        choices={CHOICES}
        value={state}
        onChange={(key) => onChange({ state: key as ApprovalFilter["state"] })}
      />
      <SearchField label="Search requests" value={search} onChange={(search) => onChange({ search })} />
    </div>
  );
}

function columnsFor(project: string, names: Names): Column<ApprovalSummary>[] {
  return [
    {
      key: "feature",
      header: "Feature",
      width: "minmax(12rem, 1.4fr)",
      card: "title",
      cell: ({ id, featureKey, comment }) => (
        <NameCell name={names.feature(featureKey)} href={`/projects/${project}/approvals/${id}`}>
          {comment && <bdi className="approvals-comment">{comment}</bdi>}
        </NameCell>
      ),
    },
    {
      key: "environment",
      header: "Environment",
      width: "minmax(7rem, 0.7fr)",
      cell: ({ environmentKey }) => <bdi>{names.environment(environmentKey)}</bdi>,
    },
    {
      key: "change",
      header: "Change",
      width: "minmax(7rem, 0.7fr)",
      cell: (approval) => <ChangeKind approval={approval} names={names} />,
    },
    {
      key: "requester",
      header: "Requested",
      width: "minmax(9rem, 0.9fr)",
      cell: ({ requestedBy, requestedAt }) => (
        <span className="approvals-requested">
          <bdi>{requestedBy.name}</bdi>
          <time dateTime={requestedAt}>{formatTime(requestedAt)}</time>
        </span>
      ),
    },
    {
      key: "state",
      header: "State",
      width: "5.5rem",
      cell: ({ state }) => <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip>,
    },
  ];
}
