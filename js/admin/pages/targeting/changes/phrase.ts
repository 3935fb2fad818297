// Text with names that people chose, which are shown isolated from the text around them.

/** A name is an object, so that it is rendered in a `<bdi>`. */
export type Phrase = readonly (string | { name: string })[];

/** Marks each inserted value as a name. */
export function phrase(texts: TemplateStringsArray, ...names: string[]): Phrase {
  return texts.flatMap((text, index) => {
    const name = names[index];
    return name === undefined ? [text] : [text, { name }];
  });
}
