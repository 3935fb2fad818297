// The filter of the audit log. It is kept in the URL, so that people can share what they see.
import { useUrlFilter } from "../../parts/list/filter.js";

export interface AuditFilter {
  /** The id of a person. */
  user: string;
  /** A path below /api/v1; everything below it matches too. */
  resource: string;
  /** Days such as 2026-11-21, both inclusive. */
  from: string;
  to: string;
}

export const NO_FILTER: AuditFilter = { user: "", resource: "", from: "", to: "" };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function useFilter(): [AuditFilter, (change: Partial<AuditFilter>) => void] {
  const [params, setParams] = useUrlFilter();
  const filter: AuditFilter = {
    user: params.get("user") ?? "",
    resource: params.get("resource") ?? "",
    from: validDay(params.get("from")),
    to: validDay(params.get("to")),
  };
  return [filter, setParams];
}

/** Empty if it is not a valid day: people can edit URLs. */
function validDay(text: string | null): string {
  return text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}
