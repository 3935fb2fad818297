// Text that is typed here and kept elsewhere, such as in the address. What is kept follows later, so that no letter is lost.
import { useEffect, useRef, useState } from "react";
import { SentValues } from "./sent-values.js";

/** The kept value follows when nothing has been typed for so long. */
const DELAY_MS = 150;

interface SyncedText {
  text: string;
  setText: (text: string) => void;
  /** Sends what was typed now. Call it when the field loses the focus, on Enter, and when it is cleared. */
  flush: () => void;
}

/** `value` replaces the text if others have changed it, for example with a button that clears the filters. */
export function useSyncedText(value: string, onChange: (value: string) => void): SyncedText {
  const [text, setText] = useState(value);
  /** What was typed and not sent. */
  const typed = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(new SentValues());
  /** The value once everything sent has come back. */
  const last = useRef(value);

  const flush = () => {
    clearTimeout(timer.current);
    if (typed.current === undefined) return;
    const next = typed.current;
    typed.current = undefined;
    if (next === last.current) return;
    last.current = next;
    sent.current.add(next);
    onChange(next);
  };
  const latestFlush = useRef(flush);
  latestFlush.current = flush;

  useEffect(() => {
    if (sent.current.cameBack(value)) return;
    clearTimeout(timer.current);
    typed.current = undefined;
    last.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    text,
    setText: (text) => {
      setText(text);
      typed.current = text;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latestFlush.current(), DELAY_MS);
    },
    flush,
  };
}
