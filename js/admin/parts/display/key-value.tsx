// A list of terms and their values.
import type { ReactNode } from "react";

export function KeyValue({ facts }: { facts: readonly { term: string; value: ReactNode }[] }) {
  return (
    <dl className="key-value">
      {facts.map(({ term, value }) => (
        <div key={term} className="key-value-line">
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
