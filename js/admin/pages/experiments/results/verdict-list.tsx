// What the results say of guards or secondary goals. A guard that got worse is a warning.
import { PhraseText } from "../../../parts/changes/phrase-text.js";
import { Icon } from "../../../parts/display/icon.js";
import { Banner } from "../../../parts/feedback/banner.js";
import type { Results } from "../experiments.js";
import { verdictsOn } from "./verdicts.js";

interface VerdictListProps {
  goals: Results["goals"];
  control: string;
  isGuard: boolean;
}

export function VerdictList({ goals, control, isGuard }: VerdictListProps) {
  return (
    <ul className="experiments-verdicts">
      {verdictsOn(goals, control).map(({ goal, variant, outcome, phrase }) => (
        <li key={`${goal} ${variant}`}>
          {isGuard && outcome === "worse" ? (
            <Banner tone="warn">
              <PhraseText phrase={phrase} />
            </Banner>
          ) : (
            <div className={`experiments-verdict experiments-verdict-${outcome}`}>
              <Icon name={outcome === "better" ? "check" : "information"} />
              <span>
                <PhraseText phrase={phrase} />
              </span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
