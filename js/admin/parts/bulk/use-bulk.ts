// Sends a change for each of several things, one after another. Each has its own answer.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/changes.js";

export function useBulk<Input, T>(send: Parameters<typeof useChange<Input, T>>[0]) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const [pending, setPending] = useState(false);
  // Everything is read again once, after the last.
  const change = useChange(send, { refresh: [] });
  /** Resolves to the outcomes in the order of the inputs. */
  const run = async (inputs: readonly Input[]) => {
    setPending(true);
    const outcomes: Awaited<ReturnType<typeof change.run>>[] = [];
    for (const input of inputs) {
      setDone(outcomes.length);
      outcomes.push(await change.run(input));
    }
    await queries.invalidateQueries();
    setPending(false);
    return outcomes;
  };
  /** `done`: how many have been sent. */
  return { run, pending, done };
}
