// The requests of a project by state, newest first; scheduled changes as a calendar. Pending ones can be selected and decided on together.
import { useMemo } from "react";
import { type Session, useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { SegmentedControl } from "../../parts/choice/segmented-control.js";
import { Chip } from "../../parts/display/chip.js";
import { Banner } from "../../parts/feedback/banner.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page } from "../../parts/layout/page.js";
import type { Column } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import {
  type ApprovalSummary,
  environmentOf,
  type Names,
  permissionsFor,
  STATES,
  sourceOf,
  useNames,
} from "./approvals.js";
import { Calendar } from "./calendar/calendar.js";
import { ChangeKind, FeatureCell, REQUESTER } from "./columns.js";
import { DecidableTable } from "./decidable-table.js";
import type { DecidableRequest } from "./decisions.js";
import { ALL, type ApprovalFilter, matchesFilter, useApprovalFilter } from "./filter.js";
import { useRequests } from "./requests.js";

const CHOICES = [...Object.entries(STATES).map(([key, { label }]) => ({ key, label })), { key: ALL, label: "All" }];

export function ApprovalList({ project }: { project: string }) {
  const [filter, setFilter] = useApprovalFilter();
  const { state, search, copy } = filter;
  const session = useSession();
  const approvals = useRequests(project, state);
  const names = useNames(project);
  const requests = useMemo(
    () => (copy ? approvals.data?.filter(({ copyId }) => copyId === copy) : approvals.data),
    [approvals.data, copy],
  );
  const rows = useMemo(
    () => (names.ready ? requests?.filter((approval) => matchesFilter(approval, search, names)) : undefined),
    [requests, search, names],
  );
  const columns = useMemo(() => columnsFor(project, names), [project, names]);
  const deciding = useMemo(() => decidingIn(project, names, session), [project, names, session]);
  const total = requests?.length;
  const instead = approvals.isError ? (
    <ErrorState error={approvals.error} onRetry={() => void approvals.refetch()} />
  ) : total === 0 ? (
    <NoRequests state={state} />
  ) : rows?.length === 0 ? (
    <NoMatches total={total ?? 0} onClear={() => setFilter({ search: "" })} />
  ) : undefined;
  const shared = { requests, rows, separate: copy !== undefined };
  return (
    <Page
      title="Approvals"
      badges={rows && <Count count={rows.length} />}
      guides={isShort(rows) && ["approve-a-change", "schedule-a-change", "audit-log"]}
    >
      <Filters filter={filter} onChange={setFilter} />
      {copy && <OfCopy onClear={() => setFilter({ copy: undefined })} />}
      {state === "scheduled" ? (
        (instead ?? <Calendar {...shared} project={project} names={names} describe={deciding.describe} />)
      ) : (
        <DecidableTable
          {...shared}
          {...deciding}
          columns={columns}
          selectable={hasRole(session.user.role, "editor") && (state === "pending" || state === ALL)}
          instead={instead}
        />
      )}
    </Page>
  );
}

/** Which requests the person can decide on, and what the dialogs say about them. */
function decidingIn(project: string, names: Names, session: Session) {
  return {
    isDecidable: (approval: ApprovalSummary): boolean =>
      approval.state === "pending" && permissionsFor(approval, session, environmentOf(approval, names)).canDecide,
    describe: (approval: ApprovalSummary): DecidableRequest => ({
      ...{ project, id: approval.id, featureName: names.feature(approval.featureKey) },
      environment: environmentOf(approval, names),
      scheduledFor: approval.scheduledFor,
    }),
  };
}

function OfCopy({ onClear }: { onClear: () => void }) {
  return (
    <Banner tone="note" actions={<Button onPress={onClear}>Show all requests</Button>}>
      Only the requests of one copy.
    </Banner>
  );
}

function NoRequests({ state }: Pick<ApprovalFilter, "state">) {
  return (
    <EmptyState icon="approvals" title={state === ALL ? "No requests yet" : `No ${state} requests`}>
      {state === "pending" && "Changes that need approval appear here until another person decides on them."}
      {state === "scheduled" &&
        "Changes with a time appear here until they are made. Choose the time in a review or a copy."}
    </EmptyState>
  );
}

export function NoMatches({ total, onClear }: { total: number; onClear: () => void }) {
  return (
    <EmptyState icon="search" title="No matching requests" action={<Button onPress={onClear}>Clear search</Button>}>
      None of the {total} requests match the search.
    </EmptyState>
  );
}

export function Count({ count }: { count: number }) {
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
      cell: (request) => (
        <FeatureCell name={names.feature(request.featureKey)} at={`/projects/${project}`} request={request} />
      ),
    },
    {
      key: "environment",
      header: "Environment",
      width: "minmax(7rem, 0.7fr)",
      cell: (request) => <bdi>{environmentOf(request, names).name}</bdi>,
    },
    {
      key: "change",
      header: "Change",
      width: "minmax(7rem, 0.7fr)",
      cell: (request) => <ChangeKind kind={request.kind} source={sourceOf(request, names)} />,
    },
    REQUESTER,
    {
      key: "state",
      header: "State",
      width: "5.5rem",
      cell: ({ state }) => <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip>,
    },
  ];
}
