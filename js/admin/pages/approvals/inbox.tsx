// What waits for the signed-in person's decision in all projects, newest first.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { hasFailed, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import { useSession } from "../../api/session.js";
import { ProductionChip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { matchesSearch, useUrlFilter } from "../../parts/list/filter.js";
import type { Column } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { Count, NoMatches } from "./approval-list.js";
import { ALL_ENVIRONMENTS, isOfFeature } from "./approvals.js";
import { ChangeKind, FeatureCell, REQUESTER } from "./columns.js";
import { DecidableTable } from "./decidable-table.js";
import type { DecidableRequest } from "./decisions.js";

type Request = components["schemas"]["ApprovalToDecide"];

export function Inbox() {
  const [params, setFilter] = useUrlFilter();
  const search = params.get("search") ?? "";
  const { user } = useSession();
  const inbox = useQuery(wholeList("/api/v1/approvals"));
  const rows = useMemo(() => inbox.data?.filter((request) => matches(request, search)), [inbox.data, search]);
  const canDecide = hasRole(user.role, "editor");
  return (
    <Page
      title="Approvals"
      badges={rows && <Count count={rows.length} />}
      description="Requests in all projects that wait for your decision."
      guides={isShort(rows) && ["approve-a-change", "pipelines", "audit-log"]}
    >
      <Toolbar label="Filter">
        <SearchField label="Search requests" value={search} onChange={(search) => setFilter({ search })} />
      </Toolbar>
      <DecidableTable
        columns={COLUMNS}
        requests={inbox.data}
        rows={rows}
        selectable={canDecide}
        isDecidable={always}
        describe={describe}
        instead={
          hasFailed(inbox) ? (
            <ErrorState error={inbox.error} onRetry={() => void inbox.refetch()} />
          ) : inbox.data?.length === 0 ? (
            <NothingToDecide canDecide={canDecide} />
          ) : rows?.length === 0 ? (
            <NoMatches total={inbox.data?.length ?? 0} onClear={() => setFilter({ search: undefined })} />
          ) : undefined
        }
      />
    </Page>
  );
}

function NothingToDecide({ canDecide }: { canDecide: boolean }) {
  return (
    <EmptyState icon="approvals" title="No requests for you">
      {canDecide
        ? "Requests of other people appear here while you can decide on them."
        : "Deciding on requests requires the editor role, or production editor in production."}
    </EmptyState>
  );
}

function always(): boolean {
  return true;
}

function environmentNameOf(request: Request): string {
  return isOfFeature(request) ? ALL_ENVIRONMENTS : request.environmentName;
}

function describe(request: Request): DecidableRequest {
  const { id, projectKey, projectName, featureName, production, scheduledFor } = request;
  const environment = { name: environmentNameOf(request), production };
  return { id, project: projectKey, projectName, featureName, environment, scheduledFor };
}

function matches(request: Request, search: string): boolean {
  const { featureKey, featureName, projectName, requestedBy, comment } = request;
  const environment = environmentNameOf(request);
  return matchesSearch(search, [featureKey, featureName, environment, projectName, requestedBy.name, comment]);
}

const COLUMNS: readonly Column<Request>[] = [
  {
    key: "feature",
    header: "Feature",
    width: "minmax(12rem, 1.4fr)",
    card: "title",
    cell: (request) => (
      <FeatureCell name={request.featureName} at={`/projects/${request.projectKey}`} request={request} />
    ),
  },
  {
    key: "project",
    header: "Project",
    width: "minmax(7rem, 0.7fr)",
    cell: ({ projectName }) => <bdi>{projectName}</bdi>,
  },
  {
    key: "environment",
    header: "Environment",
    width: "minmax(9rem, 0.9fr)",
    cell: (request) => (
      <span className="approvals-environment">
        <bdi>{environmentNameOf(request)}</bdi>
        {request.production && <ProductionChip />}
      </span>
    ),
  },
  {
    key: "change",
    header: "Change",
    width: "minmax(7rem, 0.7fr)",
    cell: ({ kind, sourceEnvironmentName }) => <ChangeKind kind={kind} source={sourceEnvironmentName} />,
  },
  REQUESTER,
];
