// A list of changes, each with a chip that says what kind of change it is.
import { Chip, type Tone } from "../display/chip.js";
import type { Change } from "./changes.js";
import { PhraseText } from "./phrase-text.js";

const TONES: Record<Change["kind"], Tone> = {
  switched: "warn",
  "off variant": "accent",
  added: "good",
  removed: "bad",
  changed: "accent",
  moved: "note",
  edited: "accent",
};

export function ChangeList({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <ul className="changes" aria-label={label}>
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
