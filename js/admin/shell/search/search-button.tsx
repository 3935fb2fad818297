// Opens the search over everything. Its code is loaded when the browser is idle, or when it is first opened.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components/Button";
import { queryClient } from "../../api/query-client.js";
import { Dialog, DialogBody } from "../../parts/dialog/dialog.js";
import { Icon } from "../../parts/display/icon.js";
import { ErrorState } from "../../parts/feedback/state.js";
import { SEARCH_KEYS } from "../shortcuts/keys.js";

const PALETTE = queryOptions({
  queryKey: ["search"],
  queryFn: async () => (await import("./palette.js")).default,
  staleTime: "static",
  gcTime: Number.POSITIVE_INFINITY,
  networkMode: "always",
  retry: false,
});

/** Loads the code. If that fails, it is loaded when the search is opened. */
export function preloadSearch(): void {
  void queryClient.prefetchQuery(PALETTE);
}

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
  const { data: Palette, error, refetch } = useQuery(PALETTE);
  if (Palette) return <Palette onClose={onClose} />;
  if (!error) return null;
  return (
    <Dialog title="Search" onClose={onClose}>
      <DialogBody>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </DialogBody>
    </Dialog>
  );
}
