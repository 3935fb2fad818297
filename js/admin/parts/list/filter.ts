// The filter of a list. It is part of the URL, so that a link shows the same rows.
import { useCallback } from "react";
import { useSearchParams } from "../../shown-url.js";

/** The values by name; an empty or undefined value removes the parameter. Changes add no entry to the history. */
type SetUrlFilter = (changes: Readonly<Record<string, string | undefined>>) => void;

export function useUrlFilter(): [URLSearchParams, SetUrlFilter] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<SetUrlFilter>(
    (changes) => {
      // That of the address bar: the page may not have rendered the last change yet, which this one must not undo.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      setParams(next, { replace: true });
    },
    [setParams],
  );
  return [params, change];
}

/** Whether each word of the search is in one of the texts. Capitals do not matter, in any language of the browser. */
export function matchesSearch(search: string, texts: readonly (string | null | undefined)[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
