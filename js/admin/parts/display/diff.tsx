// A line diff of two values. Lines are marked with a sign as well as a colour.

interface DiffProps {
  before: unknown;
  after: unknown;
  /** The names of the two versions, such as `Theirs` and `Yours`. */
  labels?: readonly [string, string];
}

type Line = { sign: " " | "−" | "+"; text: string };

/** By longest common subsequence: common lines appear once, others as removed or added. */
function diffLines(before: readonly string[], after: readonly string[]): Line[] {
  const length = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (row: number, column: number) => length[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const same = before[row] === after[column];
      const best = same ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      (length[row] as number[])[column] = best;
    }
  }
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ sign: " ", text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ sign: "−", text: old });
      row += 1;
    } else {
      lines.push({ sign: "+", text: fresh as string });
      column += 1;
    }
  }
  return lines;
}

function linesOf(value: unknown): string[] {
  return value === undefined ? [] : JSON.stringify(value, null, 2).split("\n");
}

const SIGN_NAMES = { " ": undefined, "−": "removed", "+": "added" };

export function Diff({ before, after, labels }: DiffProps) {
  return <LineDiff before={linesOf(before)} after={linesOf(after)} labels={labels} />;
}

interface LineDiffProps {
  before: readonly string[];
  after: readonly string[];
  labels?: readonly [string, string] | undefined;
}

/** Like `Diff`, for lines of text. */
export function LineDiff({ before, after, labels = ["Before", "After"] }: LineDiffProps) {
  const lines = diffLines(before, after);
  return (
    <figure className="diff">
      <figcaption>
        <span className="diff-before">− {labels[0]}</span>
        <span className="diff-after">+ {labels[1]}</span>
      </figcaption>
      {/* It scrolls sideways, so the keyboard has to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region */}
      <section className="diff-lines" aria-label={`${labels[0]} and ${labels[1]}`} tabIndex={0}>
        {lines.map(({ sign, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no id but its index
          <div key={index} className={sign === "+" ? "diff-after" : sign === "−" ? "diff-before" : undefined}>
            <span className="diff-sign" aria-hidden="true">
              {sign}
            </span>
            {SIGN_NAMES[sign] && <span className="visually-hidden">{SIGN_NAMES[sign]}: </span>}
            <code>{text}</code>
          </div>
        ))}
      </section>
    </figure>
  );
}
