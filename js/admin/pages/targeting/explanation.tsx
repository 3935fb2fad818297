// The answer of a preview: the variant, which rule decided, which conditions held, and where in the split the user is.
import { Icon } from "../../parts/display/icon.js";
import type { Targeting } from "./draft.js";
import { draftPercentage, formatThousandths } from "./percentage.js";
import type { Preview } from "./question.js";
import { SplitBar, Swatch } from "./split-bar.js";
import type { Targeted } from "./targeted.js";
import { conditionWords } from "./words.js";

interface ExplanationProps {
  preview: Preview;
  /** The one that was evaluated. */
  targeting: Targeting;
  targeted: Targeted;
}

function Reason({ preview }: { preview: Preview }) {
  if (preview.reason === "off") return <p>Targeting is off: everyone gets the off variant.</p>;
  if (preview.reason === "noRule" || preview.ruleIndex == null) {
    return <p>No rule matches: they get the off variant.</p>;
  }
  return (
    <p>
      Rule {preview.ruleIndex + 1}
      {preview.ruleName && (
        <>
          , <bdi>{preview.ruleName}</bdi>,
        </>
      )}{" "}
      is the first that matches.
    </p>
  );
}

export function Explanation({ preview, targeting, targeted }: ExplanationProps) {
  const { variants } = targeted.feature;
  const rule = preview.ruleIndex == null ? undefined : targeting.rules[preview.ruleIndex];
  return (
    <>
      <div className="targeting-verdict">
        <Swatch variantKey={preview.variantKey} variants={variants} />
        <span>
          They get <strong>{preview.variantKey}</strong>
        </span>
      </div>
      <Reason preview={preview} />
      {rule && preview.share && (
        <>
          <SplitBar
            splits={rule.splits.map(({ variantKey, percentage }) => ({
              variantKey,
              percentage: draftPercentage(percentage),
            }))}
            variants={variants}
            marker={preview.bucket}
          />
          <p className="targeting-lead">
            Bucket {formatThousandths(preview.bucket)} of 100 is in the share of <code>{preview.share.variantKey}</code>
            , from {formatThousandths(preview.share.from)} to below {formatThousandths(preview.share.to)}.
          </p>
        </>
      )}
      {preview.enabled && preview.rules.length > 0 && (
        <ol className="targeting-trace" aria-label="Rules">
          {preview.rules.map(({ index, name, audienceKey, matched, conditions }) => {
            const unread = preview.ruleIndex != null && index > preview.ruleIndex;
            return (
              <li key={index} data-unread={unread || undefined}>
                <Holds holds={matched} words={matched ? "matches" : "does not match"}>
                  <strong>
                    {index + 1}. <bdi>{name || "Without a name"}</bdi>
                  </strong>
                  {audienceKey && (
                    <>
                      {" "}
                      · <bdi>{targeted.audienceNames.get(audienceKey) ?? audienceKey}</bdi>
                    </>
                  )}
                  {unread && " · not reached"}
                </Holds>
                {conditions.length > 0 ? (
                  <ul>
                    {conditions.map((condition, place) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: conditions stay in their order
                      <li key={place}>
                        <Holds holds={condition.matched} words={condition.matched ? "holds" : "does not hold"}>
                          <bdi>{conditionWords(condition)}</bdi>
                        </Holds>
                      </li>
                    ))}
                  </ul>
                ) : (
                  <div className="targeting-lead">for everyone</div>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}

function Holds({ holds, words, children }: { holds: boolean; words: string; children: React.ReactNode }) {
  return (
    <span className={holds ? "targeting-holds targeting-holds-yes" : "targeting-holds"}>
      <Icon name={holds ? "check" : "close"} size={14} />
      <span>
        {children}
        <span className="visually-hidden"> {words}</span>
      </span>
    </span>
  );
}
