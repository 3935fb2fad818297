// What was loaded for one person is not shown to the next.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Resets all queries when another person signs in: they must not see what was loaded for the first. */
export function useResetForNewPerson(userId: string): void {
  const queries = useQueryClient();
  const [previous, setPrevious] = useState(userId);
  useEffect(() => {
    if (previous === userId) return;
    setPrevious(userId);
    void queries.resetQueries();
  }, [previous, userId, queries]);
}
