// Lets what is in the window be painted, and react, before what is beyond it is rendered.
import { startTransition, useEffect, useState } from "react";

/** False until the browser is idle after the first paint. */
export function useFirstPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let isMounted = true;
    // Safari has no idle callbacks.
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    requestAnimationFrame(() => idle(() => isMounted && startTransition(() => setPainted(true))));
    return () => {
      isMounted = false;
    };
  }, []);
  return isPainted;
}
