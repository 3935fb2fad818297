// The Node SDK and the browser client with the real service: both see the same user and the same values.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop } from "../support/browser/shop.mjs";
import { FlagService } from "../support/node/built-sdk.mjs";
import { startService } from "../support/server/service.mjs";

let service;
let browser;
let client;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  client = FlagService.init((await service.newServerKey()).key, { baseUrl: service.base });
  await client.ready();
});

after(async () => {
  await client?.close();
  await browser?.close();
  await service?.remove();
});

const cookieHeader = async (context) =>
  (await context.cookies(service.base)).map(({ name, value }) => `${name}=${value}`).join("; ");

/** The anonymous user of a page's client: id, first features, loaded features. */
function anonymousInPage(page, config = {}) {
  return page.evaluate(
    ([key, config]) =>
      new Promise((resolve) => {
        const client = window.FlagService.init(key, undefined, config);
        const { id } = client.getUser();
        const first = client.getFeatures();
        client.on("INIT", (features) => {
          client.close();
          resolve({ id, first, features });
        });
      }),
    [service.clientKey, config],
  );
}

test("a visitor named by the browser client is the same user on the server, with the same values", async () => {
  const context = await browser.newContext();
  const page = await openShop(context, service);
  const { id, features } = await anonymousInPage(page);
  const request = { headers: { cookie: await cookieHeader(context) } };
  assert.equal(FlagService.anonymousId(request), id);
  assert.deepEqual(client.evaluateAll({ id: FlagService.anonymousId(request) }), features);
});

test("a visitor named by the server is the same user in the browser, which shows the bootstrap at once", async () => {
  for (let visitor = 0; visitor < 5; visitor++) {
    const context = await browser.newContext();
    assert.equal(FlagService.anonymousId(await cookieHeader(context)), undefined);
    const id = FlagService.newAnonymousId();
    await context.route("**/pages/shop/", async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "set-cookie": FlagService.anonymousCookie(id) };
      await route.fulfill({ response, headers });
    });
    const page = await openShop(context, service);
    const bootstrap = client.bootstrap({ id });
    const seen = await anonymousInPage(page, { bootstrap });
    assert.equal(seen.id, id);
    assert.deepEqual(seen.first, bootstrap);
    assert.deepEqual(seen.features, bootstrap);
    await context.close();
  }
});
