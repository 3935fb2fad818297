// The answer in one sentence for each variant. While the split is broken there is none.
import { PhraseText } from "../../../parts/changes/phrase-text.js";
import type { Results } from "../experiments.js";
import { answersTo } from "./answers.js";

interface AnswerListProps {
  results: Results;
  primary: Results["goals"][number];
  control: string;
  isStopped: boolean;
}

export function AnswerList({ results, primary, control, isStopped }: AnswerListProps) {
  if (results.split?.isBroken) {
    return <NoAnswer text="No answer: the split is broken." more="The numbers below may help to find out why." />;
  }
  if (results.variants.every(({ participants }) => participants === 0)) {
    return isStopped ? (
      <NoAnswer text="Nobody took part." more="Nothing was counted while the experiment ran." />
    ) : (
      <NoAnswer text="Nobody has taken part yet." more="The first participants appear here within seconds." />
    );
  }
  const answers = answersTo(primary, control, isStopped);
  if (answers.length === 0) return <NothingCompared results={results} />;
  return (
    <ul className="experiments-answers">
      {answers.map(({ variant, phrase, more }) => (
        <li key={variant}>
          <p className="experiments-answer">
            <PhraseText phrase={phrase} />
          </p>
          {/* It has a line in every state, so that nothing moves when the answer changes. */}
          <p className="experiments-answer-more">{more}</p>
        </li>
      ))}
    </ul>
  );
}

/** Only one variant has participants, or the experiment was started by an earlier release, which took a design that compares nothing. */
function NothingCompared({ results: { variants } }: Pick<AnswerListProps, "results">) {
  return variants.length > 1 ? (
    <NoAnswer
      text="No answer: these variants cannot be compared."
      more="Rules split users in different ways, or no user gets the control. Stop this experiment and create another one."
    />
  ) : (
    <NoAnswer text="Too few conversions so far." more="Only one variant has participants." />
  );
}

function NoAnswer({ text, more }: { text: string; more: string }) {
  return (
    <div className="experiments-answers">
      <div>
        <p className="experiments-answer">{text}</p>
        <p className="experiments-answer-more">{more}</p>
      </div>
    </div>
  );
}
