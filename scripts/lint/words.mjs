// The language of the repository as a checked rule: no word that docs/glossary.md or phrases.mjs rules out.
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { run } from "../processes.mjs";
import { script } from "../progress.mjs";
import { root } from "../setup.mjs";
import { EXEMPT, NAMES, PHRASES, SENTENCES } from "./phrases.mjs";

const GLOSSARY = join("docs", "glossary.md");
const HELP = `node scripts/lint/words.mjs [--by-folder | --self-test]

Finds words that the last column of the tables in ${GLOSSARY} rules out, and the names and phrases of scripts/lint/phrases.mjs.
For each one: the file and line, what is there, and what to write instead. --by-folder counts them instead. --self-test checks that
each rule finds its example.
`;

const CODE = new Set([".rs", ".ts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"]);
const BINARY = new Set([".png", ".webp", ".woff2", ".ico"]);
/** White space between two words: also the end of a line with the marker of the next comment line. */
const GAP = "(?:[ \\t]+|[ \\t]*\\n[ \\t]*(?:\\/\\/[\\/!]?|\\*(?!\\/)|#|>)?[ \\t]*)";
const STRING = /"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`/;
const TOKENS = {
  rust: new RegExp(`//.*|/\\*[\\s\\S]*?\\*/|r(#+)"[\\s\\S]*?"\\1|${STRING.source}|'(?:\\\\[^']+|[^'\\\\\\n])'`, "g"),
  script: new RegExp(
    `//.*|/\\*[\\s\\S]*?\\*/|(?<=[(=:,;!&|?{}[\\n]\\s*|return )/(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n])*\\]|[^/\\\\\\n])+/|` +
      `${STRING.source}|'(?:\\\\.|[^'\\\\\\n])*'`,
    "g",
  ),
};

/** Words that a row of the glossary rules out, with its term. */
function fromGlossary(text) {
  const rows = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.flatMap((cells) =>
    Array.from((cells.at(-2) ?? "").matchAll(/`([^`]+)`/g), ([, word]) => [word, cells[1]]),
  );
}

/** The rules as patterns: `where` is "code", "prose" or "text", which is both. */
function rules(glossary) {
  const listed = [...NAMES, ...PHRASES].flatMap(([words, instead]) => words.split("|").map((word) => [word, instead]));
  const words = [...glossary, ...listed].map(([word, instead]) => {
    const name = word.replace("()", "");
    if (name === word && !/^[A-Z]/.test(word)) {
      const source = word.replaceAll(" ", GAP);
      return { where: "text", pattern: new RegExp(`(?<![A-Za-z0-9])${source}(?![A-Za-z0-9])`, "gi"), instead, word };
    }
    // A constant is also found as a part of a longer one, such as with its unit.
    const [before, after] = /^[A-Z_]+$/.test(name) ? ["(?<![A-Za-z0-9])", "(?![A-Za-z0-9])"] : ["(?<!\\w)", "(?!\\w)"];
    const call = name === word ? "" : "(?=\\()";
    return { where: "code", pattern: new RegExp(before + name + after + call, "g"), instead, word };
  });
  const sentences = SENTENCES.map(([pattern, instead, example]) => {
    const source = pattern.source.replace(/^(\(\?<=.*?\)) /, "$1[ \\t]").replaceAll(/(?<!\[) (?!\\t)/g, GAP);
    return { where: "prose", pattern: new RegExp(source, `g${pattern.flags}`), instead, word: example };
  });
  return [...words, ...sentences];
}

/** The text with everything outside, or inside, the matches of `tokens` blanked. */
function masks(text, tokens) {
  const blank = (part) => part.replaceAll(/[^\n]/g, " ");
  let inside = "";
  let outside = "";
  let end = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    inside += blank(text.slice(end, index)) + token;
    outside += text.slice(end, index) + blank(token);
    end = index + token.length;
  }
  return { inside: inside + blank(text.slice(end)), outside: outside + text.slice(end) };
}

/** What of a file is code, and what is prose. Names in backticks are code in any text. */
function views(file, text) {
  const quoted = masks(text, /`[^`\n]+`/g).inside;
  const kind = extname(file);
  if (!CODE.has(kind)) return { code: quoted, prose: text, text };
  const { inside, outside } = masks(text, kind === ".rs" ? TOKENS.rust : TOKENS.script);
  const names = masks(inside, /(?<=\/\/.*)`[^`\n]+`/g).inside;
  return { code: `${outside}\n${names}`, prose: kind.endsWith("x") ? text : inside, text };
}

/** Everything in a file that a rule finds, in order. */
function hits(file, text, all) {
  const seen = views(file, `${text}\n`);
  const found = all.flatMap(({ where, pattern, instead }) =>
    Array.from(seen[where].matchAll(pattern), ({ 0: word, index }) => ({
      index: index % (text.length + 2),
      word,
      instead,
    })),
  );
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, word, instead }) => ({
      file,
      line: text.slice(0, index).split("\n").length,
      word: word.replaceAll(new RegExp(GAP, "g"), " "),
      instead,
    }));
}

async function everyHit() {
  const all = rules(fromGlossary(readFileSync(join(root, GLOSSARY), "utf8")));
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    minutes: 1,
  });
  const files = listed.split("\n").filter((file) => file && !EXEMPT.some((pattern) => pattern.test(file)));
  const present = files.filter((file) => !BINARY.has(extname(file)) && existsSync(join(root, file)));
  return present.flatMap((file) => [
    ...hits(file, file, all).map((hit) => ({ ...hit, line: 0 })),
    ...hits(file, readFileSync(join(root, file), "utf8"), all),
  ]);
}

/** Texts in which nothing may be found. */
const SOUND = [
  ["a.mjs", "const left = 100 % count; // The passage of time, 50%, there, this, helper\n"],
  ["a.rs", "/// Passage of time.\nfn a<'a>(text: &'a str) -> char { let stage = '\"'; stage }\n"],
  ["a.md", 'A trace of it. Who is it? "Straight"\n'],
];

function selfTest() {
  const all = rules(fromGlossary("| audit log | | | `Trace`, `happened()` |\n| fallback core | | | `standby` |"));
  for (const [file, text] of SOUND) {
    const [hit] = hits(file, text, all);
    if (hit) throw new Error(`Found in sound text, ${file}: ${hit.word}`);
  }
  for (const { where, pattern, word } of all) {
    const broken = word.replaceAll(" ", "\n  // ");
    const plants =
      where === "code" ? [`let a = ${word};`, `// A \`${word}\` in a comment.`] : [`// ${word}`, `let a = "${word}";`];
    if (where === "text") plants.push(`  // ${broken}`, `/* ${word.toUpperCase()} */`);
    for (const plant of plants) {
      const found = hits("a.rs", `\n${plant}\n`, [{ where, pattern, instead: "" }]);
      if (found[0]?.line !== 2) throw new Error(`Planted, and not found (${word}):\n${plant}`);
    }
  }
  process.stdout.write(`  ✓ each of ${all.length} rules finds its example\n`);
}

async function main([argument]) {
  if (argument === "--self-test") return selfTest();
  if (argument !== undefined && argument !== "--by-folder") {
    process.stdout.write(HELP);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const found = await everyHit();
  if (argument) {
    const counts = new Map();
    for (const folder of found.map(({ file }) => dirname(file))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    for (const [folder, count] of [...counts].sort()) process.stdout.write(`${String(count).padStart(6)}  ${folder}\n`);
  } else {
    for (const { file, line, word, instead } of found)
      process.stdout.write(`${file}:${line}: "${word}" → ${instead}\n`);
  }
  if (found.length > 0) throw new Error(`${found.length} words that the repository does not use (docs/glossary.md).`);
  process.stdout.write("  ✓ no word that the glossary rules out\n");
}

script(main);
