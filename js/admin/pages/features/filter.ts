// The filter of the list, kept in the address: a link shows what its sender saw, and Back undoes nothing typed.
import { useCallback } from "react";
import { useSearchParams } from "react-router";
import type { Filter, Lifecycle } from "./features.js";

const LIFECYCLES: readonly string[] = ["Draft", "Active", "Archived"] satisfies Lifecycle[];

export function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const [address, setAddress] = useSearchParams();
  const lifecycle = address.get("lifecycle");
  const filter: Filter = {
    search: address.get("search") ?? "",
    lifecycle: lifecycle && LIFECYCLES.includes(lifecycle) ? (lifecycle as Lifecycle) : undefined,
    tag: address.get("tag") ?? undefined,
  };
  const change = useCallback(
    (changes: Partial<Filter>) =>
      setAddress(
        (before) => {
          const next = new URLSearchParams(before);
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
  return [filter, change];
}
