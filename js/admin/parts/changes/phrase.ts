// Text with names that people chose, which are shown isolated from the text around them.

export interface Name {
  name: string;
  /** The page of what has the name. */
  href?: string | undefined;
}

/** A name is an object, so that it is rendered in a `<bdi>`. */
export type Phrase = readonly (string | Name)[];

/** Marks each inserted value as a name. */
export function phrase(texts: TemplateStringsArray, ...names: (string | Name)[]): Phrase {
  return texts.flatMap((text, index) => {
    const name = names[index];
    if (name === undefined) return [text];
    return [text, typeof name === "string" ? { name } : name];
  });
}
