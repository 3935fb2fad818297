// A key, a secret or code with a button that copies it.
import { type RefObject, useRef, useState } from "react";
import { IconButton } from "./button.js";

interface CopyableProps {
  text: string;
  /** What it is, to follow "Copy": `the key`. */
  label: string;
}

export function Copyable({ text, label }: CopyableProps) {
  const code = useRef<HTMLElement>(null);
  return (
    <span className="copyable">
      <code ref={code}>{text}</code>
      <CopyButton text={text} label={label} content={code} />
    </span>
  );
}

/** Several lines. */
export function CopyableCode({ text, label }: CopyableProps) {
  const code = useRef<HTMLElement>(null);
  return (
    <div className="copyable-code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: code, not a fieldset */}
      <pre tabIndex={0} role="group" aria-label="Code">
        <code ref={code}>{text}</code>
      </pre>
      <CopyButton text={text} label={label} content={code} />
    </div>
  );
}

function CopyButton({ text, label, content }: CopyableProps & { content: RefObject<HTMLElement | null> }) {
  const [copied, setCopied] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      // There is no clipboard without TLS: select the text, so that the person can copy it.
      if (content.current) getSelection()?.selectAllChildren(content.current);
    }
  };
  const isCopied = copied === text;
  return (
    <IconButton
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? `Copied ${label}` : `Copy ${label}`}
      onPress={() => void copy()}
      onHoverEnd={() => setCopied(undefined)}
    />
  );
}
