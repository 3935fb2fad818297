// Rust source without what is no code.

const COMMENT_OR_STRING =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|b?"(?:[^"\\]|\\[\s\S])*"|b?'(?:[^'\\\n]|\\[^\n]{1,9}?)'/g;

/** The source without its comments. */
export function withoutComments(rust) {
  return rust.replace(/\/\/.*$/gm, "");
}

/** The source with its strings and characters empty, and without its comments. */
export function withoutCommentsAndStrings(rust) {
  return rust.replace(COMMENT_OR_STRING, (found) => (found.startsWith("/") ? "" : '""'));
}
