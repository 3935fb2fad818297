// A list of changes, each with a chip that says what kind of change it is.
import { Fragment } from "react";
import { Chip, type Tone } from "../../../parts/display/chip.js";
import type { Change } from "./changes.js";
import type { Phrase } from "./phrase.js";

const TONES: Record<Change["kind"], Tone> = {
  switched: "warn",
  "off variant": "accent",
  added: "good",
  removed: "bad",
  moved: "note",
  edited: "accent",
};

export function ChangeList({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <ul className="targeting-changes" aria-label={label}>
      {changes.map(({ kind, summary, details }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes have no id
        <li key={index}>
          <Chip tone={TONES[kind]}>{kind}</Chip>
          <div>
            <PhraseText phrase={summary} />
            {details && (
              <ul>
                {details.map((detail, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <li key={position}>
                    <PhraseText phrase={detail} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function PhraseText({ phrase }: { phrase: Phrase }) {
  return phrase.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a phrase keep their order
    <Fragment key={index}>{typeof part === "string" ? part : <bdi>{part.name}</bdi>}</Fragment>
  ));
}
