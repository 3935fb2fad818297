// What the page shows, kept in the address: a link shows what its sender saw.
import { useCallback } from "react";
import { useSearchParams } from "react-router";

export interface View {
  source: string | undefined;
  target: string | undefined;
  /** All features, and not the different ones alone. */
  all: boolean;
  search: string;
}

export function useView(): [View, (change: Partial<View>) => void] {
  const [address, setAddress] = useSearchParams();
  const view: View = {
    source: address.get("source") ?? undefined,
    target: address.get("target") ?? undefined,
    all: address.get("show") === "all",
    search: address.get("search") ?? "",
  };
  const change = useCallback(
    ({ all, ...texts }: Partial<View>) =>
      setAddress(
        (before) => {
          const next = new URLSearchParams(before);
          const changes = { ...texts, ...(all !== undefined && { show: all ? "all" : "" }) };
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setAddress],
  );
  return [view, change];
}
