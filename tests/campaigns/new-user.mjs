// Times a new user's path in an empty folder, following only the README: install, init, first feature on, live change.
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { NewUser } from "../support/docs/first-feature.mjs";

const RESULT = join(root, "docs", "campaigns", "new-user.md");
const TIMES = 5;

/** The steps: title and work. All commands come from the README. */
const STEPS = [
  ["the service runs, with project, environment, feature and client key", (user) => user.next()],
  ["install: the client from its package, and a page with `init`", (user) => user.next()],
  ["the page is opened, and shows `off`", (user) => user.open().then(() => user.sees("off"))],
  ["first feature on: the command, until the open page shows `on`", (user) => user.next().then(() => user.sees("on"))],
  ["changed live: the command, until the open page shows `off`", (user) => user.next().then(() => user.sees("off"))],
];

/** Builds what the README builds, follows the rest several times, and writes the times to docs/campaigns/new-user.md. */
export async function campaign() {
  await step("programs and packages, as in the README", async (note) => {
    await run("node", ["scripts/build-admin.mjs"], { cwd: root, note });
    await run("node", ["scripts/build.mjs"], { cwd: root, note });
    await run("cargo", ["build", "-p", "flagservice-server"], { cwd: root, note });
  });
  const browser = await launchBrowser();
  try {
    const runs = [];
    for (let number = 1; number <= TIMES; number += 1) {
      runs.push(await step(`a new user, ${number} of ${TIMES}`, () => follow(browser)));
    }
    const text = report(runs, browser.version());
    process.stdout.write(text);
    await mkdir(join(root, "docs", "campaigns"), { recursive: true });
    await writeFile(RESULT, text);
  } finally {
    await browser.close();
  }
}

/** Follows the README in a new folder. Returns the milliseconds of each step. */
async function follow(browser) {
  const user = await NewUser.arrive("README.md", browser);
  try {
    const times = [];
    for (const [, work] of STEPS) {
      const startedAt = performance.now();
      await work(user);
      times.push(performance.now() - startedAt);
    }
    if (user.left > 0) throw new Error(`${user.left} blocks of commands in the README were not run.`);
    if (user.loads !== 1) throw new Error(`The page was loaded ${user.loads} times, so the change was not live.`);
    return times;
  } finally {
    await user.leave();
  }
}

function report(runs, chromium) {
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const row = (title, values) => `| ${title} | ${seconds(median(values))} | ${seconds(Math.max(...values))} |`;
  const rows = STEPS.map(([title], place) =>
    row(
      title,
      runs.map((times) => times[place]),
    ),
  );
  const totals = runs.map((times) => times.reduce((sum, time) => sum + time, 0));
  return `# A new user's path

\`npm run campaign -- new-user\`. In a new, empty folder, the commands of the README's section "Your first feature" are typed into a shell,
one block at a time. A browser opens the page that they create and loads it once. Nothing else is typed, copied or known.

| seconds, of ${runs.length} runs | median | longest |
|---|--:|--:|
${rows.join("\n")}
${row("**from the empty folder to the page that changed while it was open**", totals)}

The times do not include reading and typing, nor the first block, which builds the programs. **Nothing is published yet**, so the package
is the tarball of \`npm pack ./dist/flagservice-client\`, installed without a network, and the server is the debug build of a clone. In \
a fresh clone
that build takes minutes, like the demo ([figures](../figures.md)). Chromium ${chromium}, ${cpus().length} cores, which other work shared,
loopback.
`;
}

function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(2);
}
