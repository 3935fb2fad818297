// JSON that every parser accepts.

/** Replaces the escape of a lone surrogate, which many JSON parsers reject, by the replacement character. */
export function wellFormed(json: string): string {
  return json.includes("\\ud")
    ? json.replace(/\\(\\|ud[89a-f]..)/g, (match, escaped) => (escaped === "\\" ? match : "\ufffd"))
    : json;
}
