// The name of something new, and the key that is made of it until somebody writes another one.
import { useState } from "react";
import { TextField } from "./text-field.js";

/** A key as it would be written by hand: lower case, words joined by hyphens. */
function keyFrom(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}

interface Naming {
  name: string;
  key: string;
  setName: (name: string) => void;
  setKey: (key: string) => void;
}

export function useNaming(): Naming {
  const [name, setName] = useState("");
  const [ownKey, setKey] = useState<string>();
  return { name, key: ownKey ?? keyFrom(name), setName, setKey };
}

export function NameAndKey({ naming, hint }: { naming: Naming; hint: string }) {
  return (
    <>
      <TextField label="Name" name="name" autoFocus isRequired value={naming.name} onChange={naming.setName} />
      <TextField label="Key" name="key" mono isRequired value={naming.key} onChange={naming.setKey} hint={hint} />
    </>
  );
}
