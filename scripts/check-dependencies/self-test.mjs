// Breaks each rule once in a copy of the repository and checks that the violation is found.
import { appendFile, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { root } from "../setup.mjs";
import { sourceViolations, violations } from "./violations.mjs";

/** One violation of each rule: a file, the line to append, and a part of the expected message. Some need a second file and line. */
const VIOLATIONS = [
  [
    "crates/core/Cargo.toml",
    "[target.'cfg(all())'.dependencies]\nflagservice-rules.workspace = true",
    "flagservice-rules",
  ],
  ["Cargo.toml", "[target.'cfg(all())'.dependencies]\nserde_json.workspace = true", "serde_json"],
  ["crates/server/src/http/mod.rs", "use crate::store::Store as Planted;", "http uses store"],
  ["crates/server/src/live/mod.rs", "use crate::store::Store as Planted;", "live uses store"],
  ["crates/server/src/analytics/mod.rs", "use crate::{clock::Clock as A, store::{Store}};", "analytics uses store"],
  ["crates/server/src/app/mod.rs", "use crate::{clock::Clock as Planted, live::{Follower}};", "app uses live"],
  ["crates/server/src/store/mod.rs", "use super::app::App as Planted;", "store uses app"],
  ["crates/server/src/domain/mod.rs", "use crate::app::App as Planted;", "domain uses app"],
  ["crates/server/src/command/check.rs", "use crate::store::Store as Planted;", "command uses store"],
  ["crates/server/src/http/mod.rs", "fn planted(app: &App) { app.store.contact(); }", "uses App.store"],
  ["crates/server/src/app/mod.rs", "pub use crate::store::Store as Planted;", "re-exports an item of store"],
  ["crates/server/src/domain/mod.rs", "use sqlx::Row as Planted;", "domain names sqlx"],
  ["crates/server/src/app/mod.rs", "use axum::Router as Planted;", "app names axum"],
  // The other half of each cycle exists: user.rs uses ids.rs, and list.rs uses what mod.rs defines.
  ["crates/server/src/domain/ids.rs", "use super::user::User as Planted;", "cycle: crates/server/src/domain/"],
  ["crates/server/src/app/features/mod.rs", "use list::Listed as Planted;", "cycle: crates/server/src/app/features/"],
  ["crates/rules/src/value.rs", "fn planted() { crate::condition::planted(); }", "cycle: crates/rules/src/"],
  ["src/session.rs", "use web_sys::Window as Planted;", "web_sys"],
  ["js/shared/planted.ts", 'import { planted } from "../browser/planted.js";', "js/browser"],
  ["js/admin/planted.tsx", 'import { planted } from "../shared/planted.js";', "js/shared"],
  ["js/browser/planted.ts", 'export { readFile } from "node:fs";', "node:fs"],
  ["js/openfeature/planted.ts", 'export { FlagService } from "../node/flagservice.js";', "js/node"],
  ["js/react/planted.ts", 'export { FlagService } from "../browser/entry/module.js";', "js/browser"],
  [
    ...["js/shared/planted.ts", 'import type { Planted } from "./planted-too.js";', "cycle: js/shared/planted"],
    ...["js/shared/planted-too.ts", 'import { planted } from "./planted.js";'],
  ],
  // Not written out: this file is one of those that are checked.
  ["scripts/test/summary.mjs", `import ${JSON.stringify("../../tests/run.mjs")};`, "imports tests/run.mjs"],
  // progress.mjs imports processes.mjs.
  ["scripts/processes.mjs", 'await import("./progress.mjs");', "cycle: scripts/pro"],
];

/** Breaks each rule and checks that the violation is found. */
export async function selfTest() {
  const copy = await mkdtemp(join(tmpdir(), "flagservice-dependencies-"));
  try {
    const skipped = ["target", "dist", "data", ".git"].map((name) => join(root, name));
    const filter = (file) => basename(file) !== "node_modules" && !skipped.includes(file);
    await cp(root, copy, { recursive: true, filter });
    const before = await violations(copy);
    for (const [file, line, expected, otherFile, otherLine] of VIOLATIONS) {
      if (otherFile) await appendFile(join(copy, otherFile), otherLine);
      const found = await broken(copy, file, line);
      if (otherFile) await rm(join(copy, otherFile));
      if (!found.some((sentence) => sentence.includes(expected) && !before.includes(sentence))) {
        throw new Error(`Planted in ${file} but not found: ${line}`);
      }
      process.stdout.write(`  ✓ found in ${file}: ${line.split("\n").at(-1)}\n`);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function broken(copy, file, line) {
  const path = join(copy, file);
  const original = await readFile(path).catch(() => undefined);
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `\n${line}\n`);
  // cargo does not load a crate that depends on itself. Its error counts as a violation.
  const rules = basename(file) === "Cargo.toml" ? violations : sourceViolations;
  const found = await rules(copy).catch((error) => [`${error.message} ${error.output}`]);
  await rm(path);
  if (original !== undefined) await appendFile(path, original);
  return found;
}
