// The name of something new, and its key, which follows the name until someone edits it.
import { useState } from "react";
import { TextField } from "./text-field.js";

/** Lower case, words joined by hyphens. */
export function keyFrom(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}

export interface Naming {
  name: string;
  key: string;
  setName: (name: string) => void;
  setKey: (key: string) => void;
}

export function useNaming(): Naming {
  const [name, setName] = useState("");
  const [editedKey, setKey] = useState<string>();
  return { name, key: editedKey ?? keyFrom(name), setName, setKey };
}

interface NameAndKeyProps {
  naming: Naming;
  nameHint?: string;
  /** Without it there is no key field. */
  keyHint?: string;
}

export function NameAndKey({ naming: { name, key, setName, setKey }, nameHint, keyHint }: NameAndKeyProps) {
  return (
    <>
      <TextField label="Name" name="name" autoFocus isRequired value={name} onChange={setName} hint={nameHint} />
      {keyHint && <TextField label="Key" name="key" mono isRequired value={key} onChange={setKey} hint={keyHint} />}
    </>
  );
}
