// The cases of the fuzz corpus: native rules, rules as wasm in Node, and the browser client with and without wasm answer the same.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../../scripts/processes.mjs";
import { root, targetFolder } from "../../../scripts/setup.mjs";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { Ruleset } from "../../support/node/built-rules.mjs";

const CORPUS = join(root, "crates", "fuzz", "corpus");
const CLIENT = join(root, "dist", "flagservice-client", "dist");
const SCRIPTS = ["flagservice.min.js", "flagservice.no-wasm.min.js"];
/** Nothing is requested from it: the page's requests are answered here. */
const ORIGIN = "http://corpus.invalid";

/** Resolves to the number of cases. Rejects at the first case with different answers. */
export async function compareCorpus() {
  const cases = await nativeAnswers();
  assert.ok(cases.length > 0, `${CORPUS} has no case`);
  for (const one of cases) assert.equal(answerInNode(one), one.answer, `Node and the native rules differ: ${one.name}`);
  const browser = await launchBrowser();
  try {
    for (const script of SCRIPTS) await compareInPage(browser, script, cases);
  } finally {
    await browser.close();
  }
  return cases.length;
}

/** The cases: `name`, `text` as JSON, and the native `answer` as JSON. */
async function nativeAnswers() {
  const output = await run(join(await targetFolder(), "debug", "corpus-answers"), [CORPUS]);
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function answerInNode({ text }, changed = {}) {
  const { ruleset, user, now } = { ...JSON.parse(text), ...changed };
  const compiled = new Ruleset(ruleset);
  const answer = { evaluations: compiled.evaluate(user, now), nextTurn: compiled.nextTurn(now) ?? null };
  compiled.free();
  return JSON.stringify(answer);
}

/**
 * The client gets the native values as the service sends them, and must have exactly these; and the user that it sends must be
 * evaluated as the user that it was given.
 */
async function compareInPage(browser, script, cases) {
  const page = await (await browser.newContext()).newPage();
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const body = name ? await readFile(join(CLIENT, name)) : `<!doctype html><script src="${script}"></script>`;
    await route.fulfill({ body, contentType: name ? "text/javascript" : "text/html" });
  });
  await page.goto(`${ORIGIN}/`);
  const served = cases.map(({ text, answer }) => ({ text, values: valuesOf(answer) }));
  const results = await page.evaluate(loadEach, served);
  for (const [index, one] of cases.entries()) {
    const { values, body } = results[index];
    assert.deepEqual(values, served[index].values, `${script} and the native rules differ: ${one.name}`);
    const [sent, given] = [JSON.parse(body).user, JSON.parse(one.text).user];
    // The client replaces an empty id by an anonymous one.
    if (given.id !== "")
      assert.equal(answerInNode(one, { user: sent }), one.answer, `${script} changes the user: ${one.name}`);
  }
}

/** Feature and variant, sorted by feature; the last of two features with the same key counts. */
function valuesOf(answer) {
  const { evaluations } = JSON.parse(answer);
  return [...new Map(evaluations.map(({ key, variant }) => [key, variant]))].sort();
}

/** Runs in the page: for each case the client's values after its load, and the body of the load. */
async function loadEach(cases) {
  let number = 0;
  let body = "";
  window.fetch = async (_, request) => {
    body = request.body;
    const since = `0000000000000001.${number + 1}.0000000000000000`;
    return Response.json({ features: Object.fromEntries(cases[number].values), since, token: "" });
  };
  const client = window.FlagService.init("js-corpus", { id: "-" }, { streaming: false });
  const results = [];
  for (number = 0; number < cases.length; number++) {
    const { user } = JSON.parse(cases[number].text);
    const values = await new Promise((resolve) => client.updateUser(user, resolve));
    results.push({ values: Object.entries(values).sort(), body });
  }
  return results;
}
