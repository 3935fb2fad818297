// Code blocks of the documentation are compiled or run, except those in not-run.mjs; a block in an unknown language fails.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startDestination } from "../../examples/analytics-destination/destination.mjs";
import { freePort } from "../../scripts/free-port.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { ensurePostgres, root, targetFolder } from "../../scripts/setup.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { blocksOf, pages, parse } from "../support/docs/blocks.mjs";
import { isCompiled, typeErrors, writeExamples } from "../support/docs/compiled.mjs";
import { assertAsDocumented, request, send } from "../support/docs/requests.mjs";
import { ADDRESS, ExampleRunner, runsInNode } from "../support/docs/running.mjs";
import { Session } from "../support/docs/session.mjs";
import { startService } from "../support/server/service.mjs";
import { NOT_RUN, notRun } from "./not-run.mjs";

/** Pages whose commands are typed while a browser looks. */
const FOLLOWED = ["README.md", "docs/guide/quick-start.md"];
const names = await pages();
const documented = (await Promise.all(names.map(blocksOf))).flat();

let destination;
let service;
let browser;
let examples;
let errors;
let runner;
let postgres;
/** The last answer that a page's request got. */
let answer;
const sessions = new Map();

before(async () => {
  destination = await startDestination({ apiKey: "<API_KEY>", secretKey: "<SECRET_KEY>", region: "EU" });
  const compiled = documented.filter(({ language }) => isCompiled(language));
  [service, browser, examples] = await Promise.all([
    startService(["--analytics-eu-url", destination.url]),
    launchBrowser(),
    writeExamples(compiled),
  ]);
  errors = await typeErrors(examples.project, compiled.map(examples.name));
  runner = await ExampleRunner.open(service, browser);
});

after(async () => {
  for (const session of sessions.values()) await session.close();
  await postgres?.stop();
  await runner?.close();
  await browser?.close();
  await service?.remove();
  await destination?.stop();
  await examples?.project.remove();
});

/** Why a block of commands is not typed here, or where it is; empty for all others. */
function elsewhere(block) {
  if (block.language !== "sh" && block.language !== undefined) return "";
  const entry = notRun(block);
  if (entry) return `not run: ${entry[2]}`;
  if (FOLLOWED.includes(block.page)) return "typed by first-feature.test.mjs";
  // An example that is a small application of its own has a test that types its commands.
  const [, name] = block.page.match(/^examples\/([\w-]+)\//) ?? [];
  const own = join("tests", "e2e", "examples", `${name}.test.mjs`);
  return existsSync(join(root, own)) ? `typed by ${own}` : "";
}

/** Each language's way. */
const WAYS = {
  async sh(block) {
    if (!sessions.has(block.page)) sessions.set(block.page, await openSession(block.page));
    await sessions.get(block.page).type(block.code);
  },
  async python(block) {
    await run("python3", ["-c", block.code]);
  },
  async toml(block) {
    await settingsCount(block.code);
  },
  async json(block) {
    const value = JSON.parse(block.code);
    if (answer !== undefined) assertAsDocumented(value, answer);
    answer = undefined;
  },
  async http(block) {
    const asked = request(runner.here(block.code));
    if (asked === undefined) await runner.underPolicy(block);
    else answer = await send(service, asked);
  },
  async html(block) {
    await runner.page(block);
  },
  ...Object.fromEntries(["js", "cjs", "jsx", "ts", "tsx"].map((language) => [language, compileAndRun])),
};

async function compileAndRun(block) {
  assert.deepEqual(errors.get(examples.name(block)) ?? [], []);
  if (runsInNode(block)) await runner.inNode(block, examples.file(block));
  else await runner.inPage(block, examples.file(block));
}

/** The page's own shell: for backups with something to back up, for examples where they are. Requests of others go to the service. */
async function openSession(page) {
  if (page.startsWith("examples/")) return Session.open({ cwd: root });
  if (page !== "docs/backup.md") return Session.open({ names: { [ADDRESS]: service.base, "js-…": service.clientKey } });
  postgres = await startPostgres();
  const names = { "postgres://flags@db.example/flags": postgres.url };
  const session = await Session.open({ names, programs: await ensurePostgres() });
  await session.type("flagservice-server seed demo --write /dev/null");
  await session.type(`flagservice-server seed demo --write /dev/null --database-url ${postgres.url}`);
  return session;
}

/** A file of settings is taken by a server that has a database, a key and ports of its own. */
async function settingsCount(text) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-settings-"));
  try {
    const file = join(folder, "flagservice.toml");
    await writeFile(file, text);
    const [port, metrics] = [await freePort(), await freePort()];
    const binary = join(await targetFolder(), "debug", "flagservice-server");
    const own = ["--database-url", `sqlite:${join(folder, "flagservice.db")}`, "--key-file", join(folder, "key")];
    await run(binary, ["organisation", "create", "Acme", "--administrator", "Ada", ...own]);
    const ports = ["--listen", `127.0.0.1:${port}`, "--metrics-listen", `127.0.0.1:${metrics}`];
    const options = { stdio: ["ignore", "ignore", "pipe"] };
    const server = start(binary, ["serve", "--config", file, ...own, ...ports], options);
    let log = "";
    await new Promise((resolve, reject) => {
      server.exited.then((code) => reject(new Error(`The server ended with ${code}: ${log}`)), reject);
      server.child.stderr.setEncoding("utf8").on("data", (line) => {
        log += line;
        if (log.includes('"serving"')) resolve();
      });
    });
    await server.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const page of names) {
  describe(page, () => {
    for (const block of documented.filter((block) => block.page === page)) {
      const where = elsewhere(block);
      it(`line ${block.line}, ${block.language}${where && `: ${where}`}`, async () => {
        if (where) return;
        assert.ok(block.language, "A code block is fenced, and says its language.");
        const way = WAYS[block.language];
        assert.ok(way, `Unknown language: ${block.language}.`);
        await way(block);
      });
    }
  });
}

describe("the checks", () => {
  it("every command in the list of those not run is in the documentation once", () => {
    for (const entry of NOT_RUN) {
      const found = documented.filter((block) => notRun(block) === entry);
      assert.equal(found.length, 1, `${entry[0]}: ${entry[1]}`);
    }
  });

  it("an indented block and one without a language are reported", () => {
    const text = "Text\n\n    indented\n    code\n\nText\n\n```\nplain\n```\n\n- item\n\n```js\na\n```\n";
    assert.deepEqual(
      parse(text).map(({ language, line, code }) => [language, line, code]),
      [
        [undefined, 3, "    indented\n    code\n"],
        ["", 8, "plain\n"],
        ["js", 14, "a\n"],
      ],
    );
  });

  it("a response without a documented field is reported", () => {
    const documentedAnswer = { flags: [{ key: "a", value: true }], metadata: { version: 3 } };
    assertAsDocumented(documentedAnswer, {
      flags: [{ key: "b" }, { key: "a", value: true }],
      metadata: { version: 9 },
    });
    for (const wrong of [
      { flags: [], metadata: { version: 9 } },
      { flags: [{ key: "a", value: false }], metadata: { version: 9 } },
      { flags: [{ key: "a", value: true }], metadata: { version: "9" } },
      { flags: [{ key: "a", value: true }] },
    ]) {
      assert.throws(() => assertAsDocumented(documentedAnswer, wrong));
    }
  });

  it("a mistake in an example is reported, by the compiler and when it runs", async () => {
    const { project } = examples;
    const wrong = `import FlagService from "flagservice-client";\nFlagService.init("js-any", {}, { offline: true }).evaluated("a");\n`;
    await project.write({ "blocks/wrong.mjs": wrong, "blocks/wrong.ts": wrong });
    const found = await typeErrors(project, ["blocks/wrong.mjs", "blocks/wrong.ts"]);
    for (const name of ["blocks/wrong.mjs", "blocks/wrong.ts"])
      assert.match(found.get(name).join(), /TS2\d+.*evaluated/);
    const block = { page: "wrong", line: 1, language: "js", code: wrong };
    await assert.rejects(runner.inPage(block, project.path("blocks", "wrong.mjs")), /evaluated/);
    await project.write({ "blocks/wrong-in-node.mjs": `throw new Error("wrong");\n` });
    await assert.rejects(runner.inNode(block, project.path("blocks", "wrong-in-node.mjs")), /wrong/);
  });

  it("a failing command is reported", async () => {
    const session = await Session.open();
    try {
      await session.type("echo before");
      await assert.rejects(session.type("false\necho after"), /The commands failed/);
    } finally {
      await session.close();
    }
  });
});
