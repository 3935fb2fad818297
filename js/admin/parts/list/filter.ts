// The filter of a list. It is part of the URL, so that a link shows the same rows.
import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "../../shown-url.js";
import { SentValues } from "../form/sent-values.js";

/** The values by name; an empty or undefined value removes the parameter. Changes add no entry to the history. */
type SetUrlFilter = (changes: Readonly<Record<string, string | undefined>>) => void;

export function useUrlFilter(): [URLSearchParams, SetUrlFilter] {
  const [params, setParams] = useSearchParams();
  // A second change can come before the page has rendered the first, and must not undo it.
  const latest = useRef(params);
  const sent = useRef(new SentValues());
  useEffect(() => {
    if (!sent.current.cameBack(params.toString())) latest.current = params;
  }, [params]);
  const change = useCallback<SetUrlFilter>(
    (changes) => {
      const next = new URLSearchParams(latest.current);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      latest.current = next;
      sent.current.add(next.toString());
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
