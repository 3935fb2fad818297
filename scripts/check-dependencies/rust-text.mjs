// Strips comments and literals from Rust source.

const COMMENT_OR_STRING =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|b?"(?:[^"\\]|\\[\s\S])*"|b?'(?:[^'\\\n]|\\[^\n]{1,9}?)'/g;

/** The source without its comments. */
export function withoutComments(rust) {
  return rust.replace(/\/\/.*$/gm, "");
}

/** The source without comments, and with empty strings and characters. */
export function withoutCommentsAndStrings(rust) {
  return rust.replace(COMMENT_OR_STRING, (found) => (found.startsWith("/") ? "" : '""'));
}
