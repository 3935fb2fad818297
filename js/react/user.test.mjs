// The provider's user: an equal user has no effect, another one replaces the previous one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";

const { service, open, shows } = setupReactTest();

const users = () => service.requestsOf("load").map(({ body }) => JSON.parse(body).user);

/** Responds to each load with the user's id as the value of `who`. */
function respondWithUserId() {
  service.handlers.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id, same: "on" }, since: this.since, token: "token" }));
  };
}

for (const react of Object.keys(REACTS)) {
  test(`${react}: a new but equal user does not load again, whatever the order of its keys`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.renderAs = (user) =>
        root.render(h(React.StrictMode, null, provider({ user }, h(Shows, { feature: "a" }))));
      const user = { id: "ada", attributes: { plan: "pro", teams: ["red", "blue"], trial: undefined } };
      window.root = mount(provider({ user }, h(Shows, { feature: "a" })));
    });
    await service.waitForStreams(1);
    await page.evaluate(() => {
      for (let time = 0; time < 3; time++) {
        flushSync(() => renderAs({ attributes: { teams: ["red", "blue"], plan: "pro" }, id: "ada" }));
      }
    });
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.equal(users().length, 1);
    // The order of a list matters, and so do other values.
    await page.evaluate(() => renderAs({ id: "ada", attributes: { plan: "pro", teams: ["blue", "red"] } }));
    await service.waitForRequests("load", 2);
    await page.evaluate(() => renderAs({ id: "ada", attributes: { plan: "free", teams: ["blue", "red"] } }));
    await service.waitForRequests("load", 3);
    assert.deepEqual(users().slice(1), [
      { id: "ada", attributes: { plan: "pro", teams: ["blue", "red"] } },
      { id: "ada", attributes: { plan: "free", teams: ["blue", "red"] } },
    ]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: an anonymous user has the id of the server's cookie from the first rendering on`, async () => {
    const page = await open(react);
    const value = `anonymous:${"0123456789abcdef".repeat(2)}`;
    await page.context().addCookies([{ name: "flagservice-anonymous-id", value, url: service.base }]);
    await page.evaluate(() => {
      window.rendered = [];
      const Id = () => void rendered.push(Flags.useFlagService().getUser().id);
      mount(provider({ user: undefined }, h(Id), h(Shows, { feature: "a" })));
    });
    await shows(page, "a", "on");
    const [ids, cookie] = await page.evaluate(() => [[...new Set(rendered)], document.cookie]);
    assert.deepEqual([ids, cookie, users()], [[value], `flagservice-anonymous-id=${value}`, [{ id: value }]]);
  });

  test(`${react}: anonymous users are equal, and an identified user after them is not`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.renderAs = (user) => flushSync(() => root.render(provider({ user }, h(Shows, { feature: "a" }))));
      window.root = mount(provider({ user: undefined }, h(Shows, { feature: "a" })), false);
    });
    await service.waitForRequests("load", 1);
    await page.evaluate(() => {
      for (const user of [null, {}, { id: undefined }, undefined]) renderAs(user);
      renderAs({ id: "bob" });
    });
    await service.waitForRequests("load", 2);
    const [{ id }, second] = users();
    assert.match(id, /^anonymous:/);
    assert.deepEqual(second, { id: "bob" });
  });

  test(`${react}: another user's features are rendered before the browser paints, and then loaded`, async () => {
    respondWithUserId();
    const page = await open(react);
    await page.evaluate(() => {
      window.tree = (id) => provider({ user: { id } }, h(Shows, { feature: "who" }));
      window.root = mount(tree("ada"));
    });
    await shows(page, "who", "ada");
    const next = await page.evaluate(() => {
      flushSync(() => root.render(h(React.StrictMode, null, tree("bob"))));
      return text("who");
    });
    assert.equal(next, "off");
    await shows(page, "who", "bob");
    const cached = await page.evaluate(() => {
      flushSync(() => root.render(h(React.StrictMode, null, tree("ada"))));
      return text("who");
    });
    assert.equal(cached, "ada", "from this browser's cache");
    await service.waitForRequests("load", 3);
    assert.deepEqual(
      users().map(({ id }) => id),
      ["ada", "bob", "ada"],
    );
  });

  test(`${react}: calling updateUser on the client from useFlagService updates the page`, async () => {
    respondWithUserId();
    const page = await open(react);
    await page.evaluate(() => {
      const CaptureClient = () => {
        window.client = Flags.useFlagService();
        window.clients = (window.clients ?? new Set()).add(client);
        return null;
      };
      mount(provider({}, h(CaptureClient), h(Shows, { feature: "who" })));
    });
    await shows(page, "who", "ada");
    const features = await page.evaluate(() => new Promise((resolve) => client.updateUser({ id: "bob" }, resolve)));
    assert.equal(features.who, "bob");
    await shows(page, "who", "bob");
    assert.deepEqual(await page.evaluate(() => [client.getUser(), clients.size]), [{ id: "bob" }, 1]);
  });

  test(`${react}: a user that cannot be read causes no errors`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      const cyclic = {};
      cyclic.self = cyclic;
      window.tree = (user) => provider({ user }, h(Shows, { feature: "a" }));
      window.cyclic = cyclic;
      window.root = mount(tree({ id: "ada", attributes: cyclic }), false);
    });
    await shows(page, "a", "on");
    await page.evaluate(() => {
      for (const user of ["ada", 12, [], { id: 12 }, { id: "bob", attributes: cyclic }]) {
        flushSync(() => root.render(tree(user)));
      }
    });
    await page.waitForFunction(() => text("a") === "on");
    await service.waitForRequests("load", 2);
    assert.equal(users().at(-1).id, "bob");
    assert.deepEqual([page.uncaught, page.consoleErrors], [[], []]);
  });
}
