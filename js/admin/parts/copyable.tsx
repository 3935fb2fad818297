// A key or a secret that is shown to be taken elsewhere: text, and a button that copies it.
import { useState } from "react";
import { IconButton } from "./button.js";

export function Copyable({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span className="copyable">
      <code>{text}</code>
      <IconButton
        icon={copied ? "check" : "copy"}
        label={copied ? `${label}: copied` : `Copy ${label}`}
        onPress={() => void copy()}
        onHoverEnd={() => setCopied(false)}
      />
    </span>
  );
}
