// What is scheduled already: a change at a later time is one of what that leaves.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Approval } from "../../../api/changes.js";
import { type Problem, problemFrom } from "../../../api/problem.js";
import { lastScheduled } from "../changes/last-scheduled.js";
import type { DraftState, Reviewed } from "../draft/use-draft.js";
import type { TargetingContext } from "../targeting-context.js";

interface Earlier {
  /** The change that the new one builds on; undefined if there is none, or if the new one is made now. */
  change: Approval | undefined;
  /** The new change, on top of that one. */
  reviewed: Reviewed;
  /** Whether another change was scheduled, or the shown one cancelled, since the person saw this. */
  hasChanged: boolean;
  /** Reads what is scheduled now, and returns whether it is what the person sees. */
  check: () => Promise<boolean>;
  isChecking: boolean;
  problem: Problem | undefined;
}

export function useEarlier(context: TargetingContext, state: DraftState, isScheduled: boolean): Earlier {
  const last = useQuery({ ...lastScheduled(context, useQueryClient()), enabled: isScheduled });
  const [isChecking, setIsChecking] = useState(false);
  const [hasChanged, setHasChanged] = useState(false);
  const change = (isScheduled && last.data) || undefined;
  const error = isScheduled ? last.error : null;
  const { onTopOf } = state;
  const onTop = useMemo(() => change && onTopOf(change.after), [change, onTopOf]);
  return {
    ...{ change, hasChanged, isChecking },
    reviewed: onTop ?? state,
    check: async () => {
      setIsChecking(true);
      const { data, isSuccess } = await last.refetch();
      setIsChecking(false);
      setHasChanged(isSuccess && data?.id !== change?.id);
      return isSuccess && data?.id === change?.id;
    },
    problem: useMemo(() => (error ? problemFrom(error) : undefined), [error]),
  };
}
