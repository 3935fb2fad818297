// Blocks of code: highlighted by classes, with the language's name, in a box that scrolls by itself.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";

const GRAMMARS = { bash, ini, javascript, json, sql, typescript, xml };

/** Word behind the three backticks → the name that people read, and the grammar. */
const LANGUAGES = {
  sh: ["Shell", "bash"],
  bash: ["Shell", "bash"],
  shell: ["Shell", "bash"],
  console: ["Shell", "bash"],
  js: ["JavaScript", "javascript"],
  mjs: ["JavaScript", "javascript"],
  javascript: ["JavaScript", "javascript"],
  cjs: ["JavaScript, CommonJS", "javascript"],
  jsx: ["JSX", "javascript"],
  ts: ["TypeScript", "typescript"],
  typescript: ["TypeScript", "typescript"],
  tsx: ["TSX", "typescript"],
  json: ["JSON", "json"],
  html: ["HTML", "xml"],
  xml: ["XML", "xml"],
  toml: ["TOML", "ini"],
  ini: ["Settings", "ini"],
  sql: ["SQL", "sql"],
  http: ["HTTP", "http"],
  nginx: ["nginx", undefined],
  text: ["Text", undefined],
  txt: ["Text", undefined],
};

for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

export function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A block with its language's name above it; a language that is not known fails. */
export function codeBlock(text, language) {
  const [title, grammar] = named(language);
  const label = title ? `Code: ${title}` : "Code";
  const head = title ? `<div class="code-language">${escaped(title)}</div>` : "";
  return `<div class="code">${head}${pre(highlight(text.replace(/\n$/, ""), grammar), label)}</div>\n`;
}

/** A declaration in TypeScript; `address(name)` gives the address of a type that it names. */
export function signature(text, address) {
  const html = highlight(text, "typescript");
  // What stands in quotes names no type.
  const linked = html.replace(
    /<span class="hljs-(?:string|comment)">[\s\S]*?<\/span>|<[^>]*>|[A-Za-z_$][\w$]*/g,
    (part) => {
      const href = part.startsWith("<") ? undefined : address(part);
      return href ? `<a href="${href}">${part}</a>` : part;
    },
  );
  return `<div class="code signature">${pre(linked, "Declaration")}</div>\n`;
}

function pre(html, label) {
  return `<pre tabindex="0" role="group" aria-label="${escaped(label)}"><code>${html}</code></pre>`;
}

function named(language) {
  if (language === "") return [undefined, undefined];
  if (!LANGUAGES[language]) throw new Error(`Code in ${language}: scripts/docs/code.mjs does not know that language.`);
  return LANGUAGES[language];
}

function highlight(text, grammar) {
  if (grammar === "http") return request(text);
  return grammar ? hljs.highlight(text, { language: grammar }).value : escaped(text);
}

/** A request or an answer: the body behind its empty line is JSON, where it looks so. */
function request(text) {
  const [head, ...body] = text.split(/(?<=\n)\n/);
  const rest = body.join("\n");
  const shown = /^\s*[{[]/.test(rest) ? highlight(rest, "json") : escaped(rest);
  return body.length === 0 ? escaped(text) : `${escaped(head)}\n${shown}`;
}
