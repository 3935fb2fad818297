// A key or secret with a button that copies it.
import { useRef, useState } from "react";
import { IconButton } from "./button.js";

export function Copyable({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // There is no clipboard without TLS: select the text, so that the person can copy it.
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <span className="copyable">
      <code ref={code}>{text}</code>
      <IconButton
        icon={copied ? "check" : "copy"}
        label={copied ? `Copied ${label}` : `Copy ${label}`}
        onPress={() => void copy()}
        onHoverEnd={() => setCopied(false)}
      />
    </span>
  );
}
