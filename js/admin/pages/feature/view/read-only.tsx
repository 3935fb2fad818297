// The targeting for people who can't change it: as text, with a preview of what is saved.
import { canonical } from "../../../parts/changes/targeting.js";
import { type SavedTargeting, toDraft } from "../draft/draft.js";
import { Preview } from "../preview/preview.js";
import { suggestedAttributes, type TargetingContext } from "../targeting-context.js";
import { TargetingView } from "./targeting-view.js";

export function ReadOnly({ context, saved }: { context: TargetingContext; saved: SavedTargeting }) {
  return (
    <div className="targeting-columns">
      <div className="targeting-main">
        <TargetingView context={context} saved={saved} />
      </div>
      <aside className="targeting-aside">
        <Preview
          context={context}
          targeting={canonical(saved)}
          isValid
          attributes={suggestedAttributes(toDraft(saved), context.audiences)}
        />
      </aside>
    </div>
  );
}
