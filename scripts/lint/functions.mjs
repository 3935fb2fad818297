// How long the functions of a TypeScript or JavaScript file are, by TypeScript's own parser. Rust's are clippy's: too_many_lines.
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { ensureNodeModules, root } from "../setup.mjs";

const PARSER = join(root, "scripts", "docs");
const KINDS = { ".tsx": "TSX", ".jsx": "JSX", ".js": "JS", ".mjs": "JS", ".cjs": "JS" };

/** The parser, which the documentation's reference uses too: the compiler of the packages has no interface for it. */
export async function loadParser() {
  await ensureNodeModules(PARSER);
  return createRequire(join(PARSER, "package.json"))("typescript");
}

/** Each function with a body: its name, first line, and lines of code, without blank lines and comments. */
export function functionsOf(ts, file, text) {
  const kind = ts.ScriptKind[KINDS[extname(file)] ?? "TS"];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const codeLines = linesWithCode(source);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && !isWrapper(ts, node)) {
      const line = (position) => source.getLineAndCharacterOfPosition(position).line;
      const [first, last] = [line(node.getStart()), line(node.getEnd())];
      const lines = codeLines.filter((one) => one >= first && one <= last).length;
      found.push({ name: node.name?.getText() ?? node.parent.name?.getText() ?? "a function", line: first + 1, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether a function only groups what is in it: the callback of `describe`, or one around a whole script. */
function isWrapper(ts, node) {
  const call = ts.isParenthesizedExpression(node.parent) ? node.parent.parent : node.parent;
  if (!ts.isCallExpression(call)) return false;
  const isScript = call.expression.getEnd() >= node.getEnd() && ts.isSourceFile(call.parent.parent);
  return isScript || /^describe\b/.test(call.expression.getText());
}

function linesWithCode(source) {
  const lines = new Set();
  const visit = (node) => {
    if (node.getChildCount() === 0 && node.getEnd() > node.getStart()) {
      const [first, last] = [node.getStart(), node.getEnd()].map(
        (position) => source.getLineAndCharacterOfPosition(position).line,
      );
      for (let line = first; line <= last; line += 1) lines.add(line);
    }
    for (const child of node.getChildren()) visit(child);
  };
  visit(source);
  return [...lines];
}
