// Opens the search over everything.
import { Button } from "react-aria-components/Button";
import { deferredDialog } from "../../parts/dialog/deferred-dialog.js";
import { Icon } from "../../parts/display/icon.js";
import { SEARCH_KEYS } from "../shortcuts/keys.js";

export const SearchDialog = deferredDialog("Search", async () => (await import("../dialogs.js")).Palette);

export function SearchButton({ onPress }: { onPress: () => void }) {
  return (
    <Button className="search-button" onPress={onPress} aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" />
      Search
      <span className="key-cap" aria-hidden="true">
        {SEARCH_KEYS}
      </span>
    </Button>
  );
}
