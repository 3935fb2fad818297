// Which violations of the draft are shown: those found by the last check, and those that the server reported.
import { useEffect, useMemo, useRef, useState } from "react";
import type { Problem } from "../../../api/problem.js";
import { focusFirstInvalid } from "../../../parts/form/form.js";
import type { Draft } from "../draft/draft.js";
import { findViolations, type Violations, violationsFrom } from "../draft/violations.js";

const NONE = { checked: {} as Violations, reported: {} as Violations, withoutField: [] as string[] };

export function useViolations(draft: Draft) {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(NONE);
  const [checks, setChecks] = useState(0);
  const current = useMemo(() => findViolations(draft), [draft]);

  // Focus the first invalid field, once it is rendered as invalid.
  useEffect(() => {
    if (checks > 0) focusFirstInvalid(form.current);
  }, [checks]);

  const show = (next: Partial<typeof NONE>) => {
    setShown({ ...NONE, ...next });
    setChecks((count) => count + 1);
  };
  // A checked violation disappears as soon as it is fixed. A reported one stays until the next check.
  const visible = useMemo(() => {
    const unfixed = Object.keys(shown.checked).filter((name) => name in current);
    return { ...Object.fromEntries(unfixed.map((name) => [name, current[name] as string])), ...shown.reported };
  }, [shown, current]);
  return {
    form,
    visible,
    isValid: Object.keys(current).length === 0,
    /** Reported errors that belong to no field. */
    withoutField: shown.withoutField,
    /** Shows all violations; false if there are any. */
    check: (): boolean => {
      show({ checked: current });
      return Object.keys(current).length === 0;
    },
    /** Shows the server's errors; false if none belongs to a field. */
    showReported: (problem: Problem): boolean => {
      const { violations, withoutField } = violationsFrom(problem, draft);
      if (Object.keys(violations).length === 0) return false;
      show({ reported: violations, withoutField });
      return true;
    },
  };
}
