// Opens the search over everything. Its code is loaded when it is first opened.
import { lazy, Suspense } from "react";
import { Button } from "react-aria-components";
import { Icon } from "../../parts/display/icon.js";
import { SEARCH_KEYS } from "../shortcuts/keys.js";

const Palette = lazy(() => import("./palette.js"));

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

export function SearchDialog({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <Palette onClose={onClose} />
    </Suspense>
  );
}
