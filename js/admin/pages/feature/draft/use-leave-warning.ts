// Warns about unsaved changes: the browser asks before a reload, and a toast links back after navigation.
import { useEffect, useRef } from "react";
import { toast } from "../../../parts/feedback/toast.js";
import { useUnloadWarning } from "../../../parts/form/use-unload-warning.js";

interface Unsaved {
  dirty: boolean;
  title: string;
  address: string;
}

export function useLeaveWarning({ dirty, title, address }: Unsaved): void {
  useUnloadWarning(dirty);

  const latest = useRef({ dirty, title, address });
  latest.current = { dirty, title, address };
  useEffect(
    () => () => {
      const { dirty, title, address } = latest.current;
      if (!dirty) return;
      toast({
        tone: "note",
        text: `Your changes to ${title} are not saved. They are kept in this tab.`,
        link: { href: address, label: "Go back" },
      });
    },
    [],
  );
}
