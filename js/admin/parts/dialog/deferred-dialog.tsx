// A dialog whose code is loaded when the browser is idle, or when it is first opened: a page does not wait for it.
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { queryClient } from "../../api/query-client.js";
import { ErrorState } from "../feedback/state.js";
import { Dialog, DialogBody } from "./dialog.js";

const preloads: (() => void)[] = [];

/** Loads the dialogs of all pages that are loaded. A dialog that fails to load now is loaded when it is opened. */
export function preloadDialogs(): void {
  for (const preload of preloads) preload();
}

/** The dialog that `load` imports. Its `title`, which no other deferred dialog has, is shown if it can't be loaded. */
export function deferredDialog<Props extends { onClose: () => void }>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const options = queryOptions({
    queryKey: ["dialog", title],
    queryFn: load,
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
    retry: false,
  });
  preloads.push(() => void queryClient.prefetchQuery(options));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each dialog, when its module is loaded
  return function DeferredDialog(props: Props) {
    const { data: Loaded, error, refetch } = useQuery(options);
    if (Loaded) return <Loaded {...props} />;
    if (!error) return null;
    return (
      <Dialog title={title} onClose={props.onClose}>
        <DialogBody>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </DialogBody>
      </Dialog>
    );
  };
}
