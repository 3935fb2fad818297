// The numbers of the picture, day by day, shown on request.
import type { Results } from "../experiments.js";
import { formatDay } from "./days.js";
import { formatCount, formatSigned } from "./numbers.js";
import { saysNothing } from "./scale.js";

interface DaysTableProps {
  days: Results["days"];
  variant: string;
  control: string;
}

export function DaysTable({ days, variant, control }: DaysTableProps) {
  return (
    <details className="experiments-numbers">
      <summary>Numbers by day</summary>
      <table>
        <caption className="visually-hidden">
          <bdi>{variant}</bdi> minus <bdi>{control}</bdi>, in points
        </caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Participants</th>
            <th scope="col">Difference</th>
            <th scope="col">Interval</th>
          </tr>
        </thead>
        <tbody>
          {days.length === 0 && (
            <tr>
              <td colSpan={4}>Nothing was counted so far.</td>
            </tr>
          )}
          {days.map(({ day, participants, comparisons }) => (
            <tr key={day}>
              <th scope="row">
                <time dateTime={day}>{formatDay(day)}</time>
              </th>
              <td>{formatCount(participants)}</td>
              <Numbers difference={comparisons.find(({ variantKey }) => variantKey === variant)} />
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

type Difference = Results["days"][number]["comparisons"][number];

function Numbers({ difference }: { difference: Difference | undefined }) {
  if (!difference || saysNothing(difference)) return <td colSpan={2}>Too few conversions</td>;
  return (
    <>
      <td>{formatSigned(difference.estimate ?? 0)}</td>
      <td>
        {formatSigned(difference.lower)} to {formatSigned(difference.upper)}
      </td>
    </>
  );
}
