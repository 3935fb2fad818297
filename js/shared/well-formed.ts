// JSON that every reader takes.

/** Half of a surrogate pair is no character, and readers of JSON refuse its escape: it becomes the replacement character. */
export function wellFormed(json: string): string {
  return json.includes("\\ud")
    ? json.replace(/\\(\\|ud[89a-f]..)/g, (written, what) => (what === "\\" ? written : "\ufffd"))
    : json;
}
