// Checks that PostgreSQL has run each SQL statement of the server: many tests run on SQLite only (docs/decisions/0046).
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "../processes.mjs";
import { ensurePostgres, root } from "../setup.mjs";

/** Settings of a cluster that counts statements. Each new connection runs a block of PL/pgSQL, which need not load its library again. */
export const COUNTS_STATEMENTS = [
  "shared_preload_libraries=pg_stat_statements,plpgsql",
  "pg_stat_statements.max=50000",
];

const STORE = join("crates", "server", "src", "store");
/** Statements about SQLite's file. */
const OF_SQLITE = { files: /^sqlite_/, text: /\bpragma_/ };
/** A statement that nobody runs, so that the check is seen to find one. */
const PLANTED = { file: "planted", text: "SELECT planted FROM nowhere" };

/** Fails if the store has a statement that the cluster at this URL has not run. */
export async function everyStatementHasRun(url) {
  const found = (await statements()).concat(PLANTED);
  const executed = (await executedStatements(url)).map(shape);
  const missing = found.filter(({ text }) => !hasRun(text, executed));
  if (missing.pop() !== PLANTED) throw new Error("The check of PostgreSQL's statements did not find the planted one.");
  if (missing.length === 0) return;
  const list = missing.map(({ file, text }) => `  ${file}: ${shape(text)}`).join("\n");
  throw new Error(
    `No test ran these statements on PostgreSQL:\n${list}\nA test that runs one needs #[apply(on_each_database)].`,
  );
}

/** The SQL in the string literals of the store: `{ file, text }`. */
async function statements() {
  const names = await readdir(join(root, STORE), { recursive: true });
  const files = names.filter((name) => name.endsWith(".rs") && !OF_SQLITE.files.test(basename(name)));
  const found = await Promise.all(
    files.map(async (name) => {
      const code = (await readFile(join(root, STORE, name), "utf8")).replace(/^\s*\/\/.*$/gm, "");
      return statementsIn(code).map((text) => ({ file: join(STORE, name), text }));
    }),
  );
  return found.flat().filter(({ text }) => !OF_SQLITE.text.test(text));
}

/** The SQL in Rust's string literals. `{SELECT}` stands for the file's constant of that name. */
function statementsIn(code) {
  const constants = new Map(
    Array.from(code.matchAll(/\bconst ([A-Z_]+): &str =\s*"((?:[^"\\]|\\[\s\S])*)"/g), ([, name, text]) => [
      name,
      text,
    ]),
  );
  return Array.from(code.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g), ([, text]) =>
    text.replace(/\{([A-Z_]+)\}/g, (placeholder, name) => constants.get(name) ?? placeholder),
  ).filter((text) => /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text));
}

async function executedStatements(url) {
  const psql = async (sql) => run(join(await ensurePostgres(), "psql"), ["--no-psqlrc", "-At", "-c", sql, url]);
  await psql("CREATE EXTENSION pg_stat_statements");
  return (await psql("SELECT DISTINCT regexp_replace(query, '\\s+', ' ', 'g') FROM pg_stat_statements")).split("\n");
}

/** Whether a statement was executed with all parts of this text, which a `format!` may complete. */
function hasRun(text, executed) {
  const parts = text.split(/\{[^}]*\}/).map((part) => shape(part).trim());
  return executed.some((statement) => parts.every((part) => statement.includes(part)));
}

/** A statement without line breaks, and with ? for each constant and parameter: PostgreSQL counts statements without constants. */
function shape(text) {
  return text
    .replace(/\\\n\s*/g, "")
    .replace(/\s+/g, " ")
    .replace(/'[^']*'|\$\d+|-?\b\d+\b|\b(?:TRUE|FALSE)\b|(?<!\bIS )(?<!\bIS NOT )\bNULL\b/gi, "?")
    .replace(/\?(?:, ?\?)+/g, "?");
}
