// The user: who it is, and updateUser. anonymous-id.test.mjs has who is nobody.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

/** Answers each load with the user's id, in the order that the test gives. */
function answerInTurn() {
  const held = [];
  service.answer.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    const answer = JSON.stringify({ features: { who: id }, since: this.since, token: "token" });
    held.push({ id, answer: () => response.end(answer) });
  };
  return held;
}

test("updateUser replaces the user in the same tick, loads, and calls back with the new features", async () => {
  service.answer.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id }, since: this.since, token: "token" }));
  };
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { who: "nobody" } });
    await until("LOADED");
    const seen = [];
    const features = new Promise((resolve) => client.updateUser({ id: "bob", attributes: { plan: "pro" } }, resolve));
    seen.push(client.getUser(), client.evaluate("who").value());
    seen.push(await features, client.evaluate("who").value());
    client.updateUser({ id: "alice" });
    seen.push(client.evaluate("who").value());
    await until("LOADED");
    return [seen, log];
  });
  const bob = { id: "bob", attributes: { plan: "pro" } };
  assert.deepEqual(seen[0], [bob, "nobody", { who: "bob" }, "bob", "alice"]);
  const names = seen[1].map(([name]) => name);
  assert.deepEqual(names.slice(1), ["INIT", "LOADED", "INIT", "LOADED", "LOADED_FROM_CACHE", "INIT", "LOADED"]);
});

test("of overlapping calls the last one wins, and an older answer is dropped and not cached", async () => {
  const held = answerInTurn();
  const page = await browser.open(service, () => {
    // Requests cannot be given up here, so that answers come which nobody wants any more.
    const { fetch } = window;
    window.answers = [];
    window.fetch = (url, { signal: _signal, ...init }) => {
      const answer = fetch(url, init).then(async (answer) => new Response(await answer.text(), answer));
      window.answers.push(answer);
      return answer;
    };
  });
  await page.evaluate(() => start({ id: "alice" }));
  await service.asked("load", 1);
  await page.evaluate(() => client.updateUser({ id: "bob" }, (features) => log.push(["first", features])));
  await service.asked("load", 2);
  await page.evaluate(() => client.updateUser({ id: "carol" }, (features) => log.push(["second", features])));
  await service.asked("load", 3);
  const carol = { who: "carol" };
  const expected = [
    ["INIT", carol],
    ["LOADED", carol],
    ["first", carol],
    ["second", carol],
  ];
  for (const id of ["alice", "carol", "bob"]) held.find((load) => load.id === id).answer();
  const [log, keys] = await page.evaluate(async () => {
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    // The head of each answer has reached the client then; it goes on to the body of the one that it still wants.
    await Promise.all(answers);
    while (log.length < 5) await turn();
    await turn();
    return [log, Object.keys(localStorage)];
  });
  assert.deepEqual(log.slice(1), expected);
  assert.equal(keys.length, 1);
});

test("the callback comes also when the load has failed, and ERROR tells so", async () => {
  const page = await browser.open(service);
  service.answer.load = (_request, response) => response.writeHead(404).end();
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    await until("ERROR");
    return new Promise((resolve) => client.updateUser({ id: "bob" }, (features) => resolve([features, log.at(-1)[0]])));
  });
  assert.deepEqual(seen, [{ a: "def" }, "ERROR"]);
});

for (const [what, id, sent = id, text = id, sentText = text] of [
  ["emoji", "👩🏽‍🚀😀"],
  ["Chinese and Japanese characters", "名前-用户"],
  ["characters written from right to left", "مستخدم-משתמש"],
  // UTF-8, which JSON travels in, has nothing for half of a pair but the replacement character.
  ["an id with half a surrogate pair", "half-\ud83d-pair", "half-\ufffd-pair", "plan"],
  ["attributes with half a surrogate pair", "alice", "alice", "half-\ud83d-pair", "half-\ufffd-pair"],
]) {
  test(`a user of ${what} is loaded, found again in the cache, and exposed once`, async () => {
    const attributes = { [text]: text, list: [text, 1] };
    const page = await browser.open(service);
    const visit = () =>
      page.evaluate(
        async (user) => {
          const sent = [];
          const integrations = [FlagService.exposureIntegration((exposure) => sent.push(exposure))];
          const heard = [];
          const client = FlagService.init("js-key", user, { integrations });
          for (const name of ["LOADED_FROM_CACHE", "INIT"]) client.on(name, () => heard.push(name));
          const first = client.evaluate("a").value();
          await new Promise((resolve) => client.on("LOADED", resolve));
          for (let time = 0; time < 3; time++) client.evaluate("a");
          client.updateUser(user);
          client.evaluate("a");
          await new Promise((resolve) => client.on("LOADED", resolve));
          client.evaluate("a");
          return { first, sent, heard: heard.slice(0, 2) };
        },
        { id, attributes },
      );
    const before = await visit();
    assert.deepEqual(before.sent, [
      { key: "a", variant: "off" },
      { key: "a", variant: "on" },
    ]);
    const [{ body, headers }] = service.of("load");
    assert.equal(headers["content-type"], "text/plain;charset=UTF-8");
    const { user } = JSON.parse(body);
    assert.equal(user.id, sent);
    assert.deepEqual(user.attributes, { [sentText]: sentText, list: [sentText, 1] });
    await page.goto(service.page);
    const after = await visit();
    assert.equal(after.first, "on");
    assert.deepEqual(after.sent, [{ key: "a", variant: "on" }]);
    assert.deepEqual(after.heard, ["LOADED_FROM_CACHE", "INIT"]);
    assert.deepEqual(page.wrongs, []);
    assert.deepEqual(page.lines, []);
  });
}

test("what the page does to its user object later changes nothing", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const user = { id: "alice", attributes: { plan: "pro" } };
    start(user);
    user.id = "bob";
    user.attributes.plan = "free";
    return client.getUser();
  });
  assert.deepEqual(seen, { id: "alice", attributes: { plan: "pro" } });
});
