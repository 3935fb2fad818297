// The filter of the approval list: state, text, and the copy that requested the changes.
import { matchesSearch, useUrlFilter } from "../../parts/list/filter.js";
import { type ApprovalState, type ApprovalSummary, environmentOf, type Names, STATES } from "./approvals.js";

export const ALL = "all";
const DEFAULT = "pending";

export interface ApprovalFilter {
  state: ApprovalState | typeof ALL;
  search: string;
  /** Only what this copy requested. */
  copy: string | undefined;
}

export function useApprovalFilter(): [ApprovalFilter, (change: Partial<ApprovalFilter>) => void] {
  const [params, setParams] = useUrlFilter();
  const state = params.get("state") ?? DEFAULT;
  const filter = {
    state: (state === ALL || Object.hasOwn(STATES, state) ? state : DEFAULT) as ApprovalFilter["state"],
    search: params.get("search") ?? "",
    copy: params.get("copy") ?? undefined,
  };
  return [filter, (change) => setParams({ ...change, ...(change.state === DEFAULT && { state: undefined }) })];
}

export function matchesFilter(approval: ApprovalSummary, search: string, names: Names): boolean {
  const { featureKey, requestedBy, comment } = approval;
  const featureName = names.feature(featureKey);
  const environment = environmentOf(approval, names).name;
  return matchesSearch(search, [featureKey, featureName, environment, requestedBy.name, comment]);
}
