// Every code block of the documentation is compiled or run; one in a language that nobody knows fails.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startDestination } from "../../examples/analytics-destination/destination.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { root, targetFolder } from "../../scripts/setup.mjs";
import { launchBrowser } from "../e2e/browser.mjs";
import { freePort, startService } from "../e2e/service.mjs";
import { blocksOf, pages, parse } from "./blocks.mjs";
import { isCompiled, typeErrors, writeExamples } from "./compiled.mjs";
import { NOT_RUN, notRun } from "./not-run.mjs";
import { isAsDocumented, request, send } from "./requests.mjs";
import { runsInNode, Stage } from "./running.mjs";
import { Session } from "./session.mjs";

/** Pages whose commands are typed while a browser looks. */
const FOLLOWED = ["README.md", "docs/guide/quick-start.md"];
const names = await pages();
const documented = (await Promise.all(names.map(blocksOf))).flat();

let destination;
let service;
let browser;
let examples;
let errors;
let stage;
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
  stage = await Stage.open(service, browser);
});

after(async () => {
  for (const session of sessions.values()) await session.close();
  await stage?.close();
  await browser?.close();
  await service?.remove();
  await destination?.stop();
  await examples?.project.remove();
});

/** The tests of an example that is a small application of its own type its commands. */
function ownTest(page) {
  const [, name] = page.match(/^examples\/([\w-]+)\//) ?? [];
  return name !== undefined && existsSync(join(root, "tests", "e2e", "examples", `${name}.test.mjs`));
}

/** Each language's way. */
const WAYS = {
  async sh(block) {
    if (notRun(block) || FOLLOWED.includes(block.page)) return;
    if (!sessions.has(block.page)) sessions.set(block.page, await openSession(block.page));
    await sessions.get(block.page).type(block.code);
  },
  async toml(block) {
    await settingsCount(block.code);
  },
  async json(block) {
    const value = JSON.parse(block.code);
    if (answer !== undefined) isAsDocumented(value, answer);
    answer = undefined;
  },
  async http(block) {
    const asked = request(stage.here(block.code));
    if (asked === undefined) await stage.underPolicy(block);
    else answer = await send(service, asked);
  },
  async html(block) {
    await stage.page(block);
  },
  ...Object.fromEntries(["js", "cjs", "jsx", "ts", "tsx"].map((language) => [language, compileAndRun])),
};

async function compileAndRun(block) {
  assert.deepEqual(errors.get(examples.name(block)) ?? [], []);
  if (runsInNode(block)) await stage.inNode(block, examples.file(block));
  else await stage.inPage(block, examples.file(block));
}

/** The page's own shell: for backups with something to back up, for examples where they are. */
async function openSession(page) {
  const session = await Session.open(page.startsWith("examples/") ? { cwd: root } : {});
  if (page === "docs/backup.md") await session.type("flagservice-server seed demo --write /dev/null");
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
      const why = block.language === "sh" && notRun(block)?.[2];
      it(`line ${block.line}, ${block.language}${why ? `, not run: ${why}` : ""}`, async () => {
        if (ownTest(page) && (block.language === "sh" || block.language === undefined)) return;
        assert.ok(block.language, "A code block is fenced, and says its language.");
        const way = WAYS[block.language];
        assert.ok(way, `Nobody knows how to check the language ${block.language}.`);
        await way(block);
      });
    }
  });
}

describe("the checks themselves", () => {
  it("every command that is not run stands in the documentation once", () => {
    for (const entry of NOT_RUN) {
      const found = documented.filter((block) => notRun(block) === entry);
      assert.equal(found.length, 1, `${entry[0]}: ${entry[1]}`);
    }
  });

  it("an indented block and one without a language are found", () => {
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

  it("an answer that lacks something that is documented is found", () => {
    const documentedAnswer = { flags: [{ key: "a", value: true }], metadata: { version: 3 } };
    isAsDocumented(documentedAnswer, { flags: [{ key: "b" }, { key: "a", value: true }], metadata: { version: 9 } });
    for (const wrong of [
      { flags: [], metadata: { version: 9 } },
      { flags: [{ key: "a", value: false }], metadata: { version: 9 } },
      { flags: [{ key: "a", value: true }], metadata: { version: "9" } },
      { flags: [{ key: "a", value: true }] },
    ]) {
      assert.throws(() => isAsDocumented(documentedAnswer, wrong));
    }
  });

  it("commands that fail are found", async () => {
    const session = await Session.open();
    try {
      await session.type("echo before");
      await assert.rejects(session.type("false\necho after"), /The commands failed/);
    } finally {
      await session.close();
    }
  });
});
