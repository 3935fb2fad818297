// All requests of a project by state, newest first.
import { useMemo } from "react";
import { Link } from "react-aria-components";
import { useSearchParams } from "react-router";
import { Button } from "../../parts/button/button.js";
import { SegmentedControl } from "../../parts/choice/segmented-control.js";
import { Chip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import {
  type ApprovalState,
  type ApprovalSummary,
  type Names,
  STATES,
  useApprovals,
  useNames,
  when,
} from "./approvals.js";

const ALL = "all";
const CHOICES = [...Object.entries(STATES).map(([key, { label }]) => ({ key, label })), { key: ALL, label: "All" }];

export function ApprovalList({ project }: { project: string }) {
  const [address, setAddress] = useSearchParams();
  const given = address.get("state") ?? "pending";
  const chosen = given === ALL || given in STATES ? given : "pending";
  const search = address.get("search") ?? "";
  const change = (name: string, value: string) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );

  const approvals = useApprovals(project, chosen === ALL ? undefined : (chosen as ApprovalState));
  const names = useNames(project);
  const rows = useMemo(
    () => (names.ready && approvals.data ? found(approvals.data, search, names) : undefined),
    [approvals.data, search, names],
  );
  const columns = useMemo(() => columnsOf(project, names), [project, names]);
  return (
    <Page
      title="Approvals"
      badges={
        rows && (
          <span role="status">
            <Chip>
              {rows.length.toLocaleString("en")}
              <span className="visually-hidden"> shown</span>
            </Chip>
          </span>
        )
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a group of filters is no fieldset */}
      <div className="approvals-tools" role="group" aria-label="Filter">
        <SegmentedControl
          label="State"
          choices={CHOICES}
          value={chosen}
          onChange={(key) => change("state", key === "pending" ? "" : key)}
        />
        <SearchField label="Find a request" value={search} onChange={(text) => change("search", text)} />
      </div>
      {approvals.isError ? (
        <ErrorState error={approvals.error} onRetry={() => void approvals.refetch()} />
      ) : approvals.data?.length === 0 ? (
        <EmptyState icon="approvals" title={emptyTitle(chosen)}>
          {chosen === "pending" &&
            "A change that an environment, a feature or a pipeline’s phase wants approved is held here until somebody else decides on it."}
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No request matches"
          action={<Button onPress={() => change("search", "")}>Clear the filter</Button>}
        >
          None of the {approvals.data?.length} requests is like it.
        </EmptyState>
      ) : (
        <Table label="Approvals" columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={57} />
      )}
    </Page>
  );
}

function emptyTitle(chosen: string): string {
  if (chosen === "pending") return "Nothing waits for approval";
  return chosen === ALL ? "No request yet" : `No ${chosen} request`;
}

function found(approvals: readonly ApprovalSummary[], search: string, names: Names): ApprovalSummary[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return approvals.filter(({ featureKey, environmentKey, requestedBy, comment }) => {
    const parts = [featureKey, names.feature(featureKey), names.environment(environmentKey), requestedBy.name, comment];
    const text = parts.join(" ").toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function columnsOf(project: string, names: Names): Column<ApprovalSummary>[] {
  return [
    {
      key: "feature",
      header: "Feature",
      width: "minmax(12rem, 1.4fr)",
      card: "title",
      cell: ({ id, featureKey, comment }) => (
        <div className="approvals-feature">
          <Link href={`/projects/${project}/approvals/${id}`} className="approvals-link">
            <bdi>{names.feature(featureKey)}</bdi>
          </Link>
          {comment && <bdi className="approvals-comment">{comment}</bdi>}
        </div>
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
      cell: ({ kind, sourceEnvironmentKey }) =>
        kind === "copy" && sourceEnvironmentKey ? (
          <span>
            Copy from <bdi>{names.environment(sourceEnvironmentKey)}</bdi>
          </span>
        ) : (
          "Edit"
        ),
    },
    {
      key: "requester",
      header: "Requested",
      width: "minmax(9rem, 0.9fr)",
      cell: ({ requestedBy, requestedAt }) => (
        <span className="approvals-requested">
          <bdi>{requestedBy.name}</bdi>
          <time dateTime={requestedAt}>{when(requestedAt)}</time>
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
