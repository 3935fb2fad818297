// Code blocks: highlighted with classes, labelled with the language, and scrollable.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";

const GRAMMARS = { bash, ini, javascript, json, python, sql, typescript, xml };

/** Info string of a code fence → the displayed name and the grammar. */
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
  python: ["Python", "python"],
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

const ENTITIES = { lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'", amp: "&" };

/** The text of HTML that our pages have, without its tags. */
export function unescaped(html) {
  return html.replace(/&(lt|gt|quot|#x27|#39|amp);/g, (_, name) => ENTITIES[name]);
}

/** A code block with the name of its language. Throws for an unknown language. */
export function codeBlock(text, language) {
  const [title, grammar] = lookUp(language);
  const label = title ? `Code: ${title}` : "Code";
  const head = title ? `<div class="code-language">${escaped(title)}</div>` : "";
  return `<div class="code">${head}${pre(highlight(text.replace(/\n$/, ""), grammar), label)}</div>\n`;
}

/** A TypeScript declaration with links. `address(name)` returns the address of a type. */
export function signature(text, address) {
  const html = highlight(text, "typescript");
  // Do not link words in strings and comments.
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

function lookUp(language) {
  if (language === "") return [undefined, undefined];
  if (!LANGUAGES[language]) throw new Error(`Unknown language ${language}: add it to scripts/docs/code.mjs.`);
  return LANGUAGES[language];
}

function highlight(text, grammar) {
  if (grammar === "http") return request(text);
  return grammar ? hljs.highlight(text, { language: grammar }).value : escaped(text);
}

/** An HTTP request or response. The body is highlighted if it looks like JSON. */
function request(text) {
  const [head, ...parts] = text.split(/(?<=\n)\n/);
  const body = parts.join("\n");
  const html = /^\s*[{[]/.test(body) ? highlight(body, "json") : escaped(body);
  return parts.length === 0 ? escaped(text) : `${escaped(head)}\n${html}`;
}
