// For those who may only look: the targeting as text, and the preview of what is saved.

import { canonical, type Saved, toDraft } from "./draft.js";
import { Preview } from "./preview.js";
import { attributesOf, type Targeted } from "./targeted.js";
import { TargetingView } from "./targeting-view.js";

export function ReadOnly({ targeted, saved }: { targeted: Targeted; saved: Saved }) {
  return (
    <div className="targeting-columns">
      <div className="targeting-main">
        <TargetingView targeted={targeted} saved={saved} />
      </div>
      <aside className="targeting-aside">
        <Preview
          targeted={targeted}
          targeting={canonical(saved)}
          flawed={false}
          attributes={attributesOf(toDraft(saved), targeted.audiences)}
        />
      </aside>
    </div>
  );
}
