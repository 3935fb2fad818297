// Changes in words, each with what kind it is.
import { Fragment } from "react";
import { Chip, type Tone } from "../../parts/display/chip.js";
import type { Change, Sentence } from "./changes.js";

const TONES: Record<Change["kind"], Tone> = {
  switched: "warn",
  "off variant": "accent",
  added: "good",
  removed: "bad",
  moved: "note",
  edited: "accent",
};

function Said({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a sentence stay in their order
    <Fragment key={index}>{typeof part === "string" ? part : <bdi>{part.name}</bdi>}</Fragment>
  ));
}

export function ChangeList({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <ul className="targeting-changes" aria-label={label}>
      {changes.map(({ kind, sentence, parts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes are made anew with every draft
        <li key={index}>
          <Chip tone={TONES[kind]}>{kind}</Chip>
          <div>
            <Said sentence={sentence} />
            {parts && (
              <ul>
                {parts.map((part, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <li key={place}>
                    <Said sentence={part} />
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
