// The filter of the audit log. It is kept in the URL, so that people can share what they see.
import { useSearchParams } from "react-router";

export interface AuditFilter {
  /** The id of a person. */
  user: string;
  /** A path below /api/v1; everything below it matches too. */
  resource: string;
  /** Days such as 2026-11-21, both inclusive. */
  from: string;
  to: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function useFilter(): [AuditFilter, (change: Partial<AuditFilter>) => void, () => void] {
  const [address, setAddress] = useSearchParams();
  const options = { replace: true, preventScrollReset: true };
  const filter: AuditFilter = {
    user: address.get("user") ?? "",
    resource: address.get("resource") ?? "",
    from: validDay(address.get("from")),
    to: validDay(address.get("to")),
  };
  const change = (changes: Partial<AuditFilter>) =>
    setAddress((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    }, options);
  return [filter, change, () => setAddress({}, options)];
}

/** Empty if it is not a valid day: people can edit URLs. */
function validDay(text: string | null): string {
  return text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}
