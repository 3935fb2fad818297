// The anonymous id: its format, where it is stored, and the cookie that passes it to the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutNetwork } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

const ID_NAME = "flagservice-anonymous-id";

test("the anonymous id is anonymous: and 128 bits from crypto.getRandomValues", async () => {
  const page = await browser.open(service, () => {
    Crypto.prototype.getRandomValues = (bytes) => bytes.set(bytes.map((_, place) => 0xf0 - place));
  });
  const id = await page.evaluate(() => start().getAnonymousId());
  assert.equal(id, "anonymous:f0efeeedecebeae9e8e7e6e5e4e3e2e1");
});

test("without an id the user is anonymous, keeps the attributes, and is linked by a cookie", async () => {
  const page = await browser.open(service);
  const [user, stored, cookie, id] = await page.evaluate(async () => {
    start({ attributes: { plan: "pro" } });
    await until("LOADED");
    const stored = localStorage.getItem("flagservice-anonymous-id");
    return [client.getUser(), stored, document.cookie, client.getAnonymousId()];
  });
  assert.match(id, /^anonymous:[0-9a-f]{32}$/);
  assert.deepEqual([user, stored, cookie], [{ id, attributes: { plan: "pro" } }, id, `flagservice-anonymous-id=${id}`]);
  const cookies = await page.context().cookies();
  assert.equal(cookies[0].path, "/");
  assert.equal(cookies[0].sameSite, "Lax");
  assert.equal(cookies[0].secure, false);
  assert.ok(Math.abs(cookies[0].expires - Date.now() / 1000 - 365 * 24 * 3600) < 60);
  assert.deepEqual(JSON.parse(service.requestsOf("load")[0].body).user, { id, attributes: { plan: "pro" } });
});

test("getAnonymousId returns the id in local storage, also for an identified user, for whom no cookie is set", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async (name) => {
    start({ id: "alice" });
    await until("LOADED");
    const first = client.getAnonymousId();
    const stored = [localStorage.getItem(name)];
    const second = client.resetAnonymousId();
    stored.push(localStorage.getItem(name));
    const cookie = document.cookie;
    client.updateUser();
    const user = client.getUser();
    await until("LOADED");
    return [[first, second], stored, cookie, user, document.cookie];
  }, ID_NAME);
  const [ids, stored, cookie, user, then] = seen;
  assert.deepEqual(ids, stored);
  assert.equal(new Set(ids).size, 2);
  assert.equal(cookie, "", "the anonymous id is not in use");
  assert.deepEqual(user, { id: ids[1] }, "without a user, updateUser switches to the anonymous one");
  assert.equal(then, `${ID_NAME}=${ids[1]}`);
});

test("resetAnonymousId returns a new id, which is used after updateUser", async () => {
  const page = await browser.open(service);
  const [first, second, still, then] = await page.evaluate(async () => {
    start();
    await until("LOADED");
    const first = client.getAnonymousId();
    const second = client.resetAnonymousId();
    const still = client.getUser().id;
    client.updateUser();
    return [first, second, still, client.getUser().id];
  });
  assert.notEqual(first, second);
  assert.deepEqual([still, then], [first, second]);
  const loads = await service.waitForRequests("load", 2);
  assert.deepEqual(
    loads.map(({ body }) => JSON.parse(body).user.id),
    [first, second],
  );
});

test("the cookie is Secure on https", { skip: withoutNetwork }, async () => {
  const page = await browser.open(service);
  await page.route("https://shop.example/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const method = route.request().method();
    const answer = await fetch(service.base + pathname, { method, body: route.request().postData() ?? undefined });
    const headers = { "content-type": answer.headers.get("content-type") ?? "application/json" };
    await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
  });
  await page.goto("https://shop.example/");
  const id = await page.evaluate(async () => {
    const client = FlagService.init("js-key", undefined, { streaming: false });
    await new Promise((resolve) => client.on("LOADED", resolve));
    return client.getAnonymousId();
  });
  const cookies = await page.context().cookies("https://shop.example/");
  const facts = cookies.map(({ name, value, path, sameSite, secure }) => ({ name, value, path, sameSite, secure }));
  assert.deepEqual(facts, [{ name: ID_NAME, value: id, path: "/", sameSite: "Lax", secure: true }]);
});

test("with useCookies false no cookie is set", async () => {
  const page = await browser.open(service);
  const cookie = await page.evaluate(async () => {
    start(undefined, { useCookies: false });
    await until("LOADED");
    client.resetAnonymousId();
    return document.cookie;
  });
  assert.equal(cookie, "");
});

test("with useCookies false getAnonymousId returns the id that the service receives", async () => {
  const page = await browser.open(service);
  const [id, cookie] = await page.evaluate(async () => {
    start(undefined, { useCookies: false });
    await until("LOADED");
    return [client.getAnonymousId(), document.cookie];
  });
  assert.equal(JSON.parse(service.requestsOf("load")[0].body).user.id, id);
  assert.equal(cookie, "");
});

test("with useCookies false an existing cookie is neither read nor written", async () => {
  const page = await browser.open(service);
  const value = `anonymous:${"0123456789abcdef".repeat(2)}`;
  await page.context().addCookies([{ name: ID_NAME, value, url: service.base }]);
  const [id, cookie] = await page.evaluate(async () => {
    start(undefined, { useCookies: false });
    await until("LOADED");
    return [client.getAnonymousId(), document.cookie];
  });
  assert.notEqual(id, value);
  assert.equal(cookie, `${ID_NAME}=${value}`);
});

test("the anonymous id is restored from the cookie if local storage has lost it", async () => {
  const page = await browser.open(service);
  const value = `anonymous:${"0123456789abcdef".repeat(2)}`;
  await page.context().addCookies([
    { name: "other", value: "1", url: service.base },
    { name: ID_NAME, value, url: service.base },
  ]);
  const seen = await page.evaluate(async () => {
    const { id } = start().getUser();
    await until("LOADED");
    return [id, localStorage.getItem("flagservice-anonymous-id")];
  });
  assert.deepEqual(seen, [value, value]);
});

test("an id in a cookie that a framework has quoted or encoded is restored, and damaged cookies of the name are skipped", {
  skip: withoutNetwork,
}, async () => {
  const hex = "0123456789abcdef".repeat(2);
  const id = `anonymous:${hex}`;
  for (const cookies of [
    [`anonymous%3A${hex}`],
    [`anonymous%3a${hex}`],
    [`"${id}"`],
    ["anonymous:0123", id],
    ["%", id],
    [`"${id}`, `anonymous%3A${hex}`],
  ]) {
    const page = await browser.open(service);
    const body = await (await fetch(service.page)).text();
    await page.route("**/shop/cart/", (route) => route.fulfill({ contentType: "text/html", body }));
    // Of several cookies of a name, a browser sends that of the longest path first.
    const paths = ["/shop/cart", "/shop"];
    const named = cookies.map((value, index) => ({ name: ID_NAME, value, domain: "127.0.0.1", path: paths[index] }));
    await page.context().addCookies(named);
    await page.goto(`${service.base}/shop/cart/`);
    const [restored, cookie] = await page.evaluate(() => {
      const client = FlagService.init("js-key");
      client.close();
      return [client.getUser().id, document.cookie];
    });
    assert.equal(cookie, cookies.map((value) => `${ID_NAME}=${value}`).join("; "));
    assert.equal(restored, id, cookie);
    await browser.clear();
  }
});

test("a damaged stored id is replaced", async () => {
  const page = await browser.open(service);
  const intact = `anonymous:${"0123456789abcdef".repeat(2)}`;
  for (const damaged of [
    "",
    "anonymous:",
    "anonymous:0123",
    "alice",
    `"${intact}"`,
    `${intact}0`,
    intact.toUpperCase(),
  ]) {
    const [id, stored] = await page.evaluate(
      ([name, damaged]) => {
        localStorage.setItem(name, damaged);
        const client = FlagService.init("js-key", undefined, { useCookies: false });
        const { id } = client.getUser();
        client.getAnonymousId();
        client.close();
        return [id, localStorage.getItem(name)];
      },
      [ID_NAME, damaged],
    );
    assert.match(id, /^anonymous:[0-9a-f]{32}$/);
    assert.notEqual(id, damaged);
    assert.equal(stored, id);
  }
});

test("where storage is blocked, all clients of a page share one anonymous id, before and after the core is loaded", async () => {
  const page = await browser.open(service, () => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("blocked", "SecurityError");
      },
    });
  });
  const ids = await page.evaluate(async () => {
    start(undefined, { useCookies: false });
    const first = client.getUser().id;
    await until("LOADED");
    const second = FlagService.init("js-key", undefined, { useCookies: false });
    return [first, client.getUser().id, client.getAnonymousId(), second.getUser().id];
  });
  assert.equal(new Set(ids).size, 1);
  const [load] = service.requestsOf("load");
  assert.equal(JSON.parse(load.body).user.id, ids[0]);
});

test("of a client that is offline or closed in the same tick, no id remains, and the next client takes that of the cookie", async () => {
  const page = await browser.open(service);
  const before = await page.evaluate(async (name) => {
    for (const config of [{ offline: true }, {}]) {
      const client = FlagService.init("js-key", undefined, config);
      if (!config.offline) client.close();
      client.getAnonymousId();
    }
    await new Promise((resolve) => setTimeout(resolve));
    return [localStorage.getItem(name), document.cookie];
  }, ID_NAME);
  assert.deepEqual(before, [null, ""]);
  await page.goto(service.page);
  const value = `anonymous:${"0123456789abcdef".repeat(2)}`;
  await page.context().addCookies([{ name: ID_NAME, value, url: service.base }]);
  const ids = await page.evaluate(() => {
    const offline = FlagService.init("js-key", undefined, { offline: true });
    const closed = FlagService.init("js-key");
    closed.close();
    return [offline.getUser().id === offline.getAnonymousId(), closed.getUser().id, start().getUser().id];
  });
  assert.deepEqual(ids, [true, value, value]);
});
