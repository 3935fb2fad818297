// Which entries are shown, kept in the address: a link shows what its sender saw.
import { useSearchParams } from "react-router";

export interface AuditFilter {
  /** A person's id. */
  user: string;
  /** A path below /api/v1; what stands below it counts too. */
  resource: string;
  /** Days such as 2026-11-21, both included. */
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
    from: day(address.get("from")),
    to: day(address.get("to")),
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

/** An address can be written by hand. */
function day(text: string | null): string {
  return text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}
