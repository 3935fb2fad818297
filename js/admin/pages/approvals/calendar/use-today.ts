// The time at which the current day was first seen. It changes after midnight, also on a page that stays open.
import { useEffect, useState } from "react";
import { dayKey } from "../../../parts/display/day.js";

const INTERVAL_MS = 60_000;

export function useToday(): Date {
  const [today, setToday] = useState(() => new Date());
  useEffect(() => {
    const update = () =>
      setToday((known) => {
        const now = new Date();
        return dayKey(known) === dayKey(now) ? known : now;
      });
    const timer = setInterval(update, INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return today;
}
