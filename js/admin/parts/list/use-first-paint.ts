// Lets what is in the window be painted, and react, before what is beyond it is rendered.
import { startTransition, useEffect, useState } from "react";
import { painted } from "../../painted.js";

/** False until the browser is idle after the first paint. */
export function useFirstPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void painted().then(() => isMounted && startTransition(() => setPainted(true)));
    return () => {
      isMounted = false;
    };
  }, []);
  return isPainted;
}
