// Server rendering and hydration: no mismatch and no flicker.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { loadOnServer, REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";
import { withoutRequestTimeouts } from "../../tests/support/browser/request-timeouts.mjs";

const { service, open, shows } = setupReactTest();

const BOOTSTRAP = { a: "on", b: "red" };
const servers = {};

before(async () => {
  for (const version of Object.keys(REACTS)) servers[version] = await loadOnServer(version);
});

/** The application, for the server and the page. */
function application({ React, Flags }, config) {
  const { createElement: h } = React;
  const Shows = ({ feature }) => h("p", { id: feature }, Flags.useFeature(feature).value());
  const All = () => h("p", { id: "all" }, JSON.stringify(Flags.useFeatures()));
  const State = () => h("p", { id: "state" }, Flags.useFlagServiceStatus().status);
  const parts = [...["a", "b", "c"].map((feature) => h(Shows, { feature, key: feature })), h(All, { key: "all" })];
  return h(
    Flags.FlagServiceProvider,
    { apiKey: "js-key", user: { id: "ada" }, config },
    ...parts,
    h(State, { key: "state" }),
  );
}

function render(react, config) {
  const server = servers[react];
  return server.renderToString(application(server, config));
}

/** Inserts the server's HTML, hydrates it, and records each text that the page shows. */
async function hydrate(page, html, config, streaming = true) {
  await page.evaluate(
    ([html, config, source, streaming]) => {
      const place = document.body.appendChild(document.createElement("div"));
      place.innerHTML = html;
      window.shown = [place.textContent];
      window.elements = [...place.querySelectorAll("p")];
      new MutationObserver(() => shown.push(place.textContent)).observe(place, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      window.failures = [];
      // biome-ignore lint/security/noGlobalEval: runs the same source as the server.
      const application = eval(`(${source})`);
      hydrateRoot(place, application(all, { ...config, streaming }), {
        onRecoverableError: (error) => failures.push(String(error)),
      });
    },
    [html, config, application.toString(), streaming],
  );
}

const assertCleanHydration = async (page) => {
  const [failures, same] = await page.evaluate(() => [
    failures,
    elements.every((element) => element === document.getElementById(element.id)),
  ]);
  assert.deepEqual([failures, page.uncaught, page.logs, page.consoleErrors], [[], [], [], []]);
  assert.equal(same, true, "the server's elements are reused");
};

for (const react of Object.keys(REACTS)) {
  test(`${react}: with bootstrap, a server-rendered page hydrates without a mismatch or flicker`, async () => {
    const config = { bootstrap: BOOTSTRAP, defaultFeatures: { c: "grey" } };
    const html = render(react, config);
    assert.match(html, /<p id="a">on<\/p><p id="b">red<\/p><p id="c">grey<\/p>/);
    service.features = { ...BOOTSTRAP };
    const page = await open(react);
    await hydrate(page, html, config);
    await shows(page, "state", "ready");
    await service.waitForStreams(1);
    service.change({ b: "blue" });
    await shows(page, "b", "blue");
    const shown = [...new Set(await page.evaluate(() => shown))];
    const all = (b) => `{"c":"grey","a":"on","b":"${b}"}`;
    assert.deepEqual(
      shown.map((text) => text.replace(/\{.*\}/, (json) => JSON.stringify(Object.entries(JSON.parse(json)).sort()))),
      [
        ["red", "loading"],
        ["red", "ready"],
        ["blue", "ready"],
      ].map(([b, state]) => `on${b}grey${JSON.stringify(Object.entries(JSON.parse(all(b))).sort())}${state}`),
    );
    assert.equal(service.requestsOf("load").length, 1);
    await assertCleanHydration(page);
  });

  test(`${react}: without bootstrap, a page hydrates without a mismatch although its cache has other values`, async () => {
    const config = { defaultFeatures: { c: "grey" } };
    service.features = { a: "blue", b: "blue", c: "blue" };
    const page = await open(react, withoutRequestTimeouts);
    await page.evaluate(async () => {
      const client = FlagService.init("js-key", { id: "ada" }, { streaming: false });
      await new Promise((resolve) => client.on("LOADED", resolve));
      client.close();
    });
    service.handlers.load = () => {};
    const html = render(react, config);
    assert.match(html, /<p id="a">off<\/p><p id="b">off<\/p><p id="c">grey<\/p>/);
    await hydrate(page, html, config);
    await shows(page, "a", "blue");
    await shows(page, "state", "cached");
    assert.equal(await page.evaluate(() => text("c")), "blue");
    await assertCleanHydration(page);
  });

  test(`${react}: a page whose client has loaded before hydration hydrates without a mismatch`, async () => {
    const page = await open(react);
    const result = await page.evaluate(async () => {
      const client = FlagService.init("js-key", { id: "ada" }, { bootstrap: { a: "server" } });
      await new Promise((resolve) => client.on("LOADED", resolve));
      const place = document.body.appendChild(document.createElement("div"));
      place.innerHTML = '<p id="a">server</p>';
      const failures = [];
      hydrateRoot(
        place,
        h(Flags.FlagServiceProvider, { client, bootstrap: { a: "server" } }, h(Shows, { feature: "a" })),
        { onRecoverableError: (error) => failures.push(String(error)) },
      );
      await new Promise((resolve) => {
        const check = () => (text("a") === "on" ? resolve() : requestAnimationFrame(check));
        check();
      });
      return failures;
    });
    assert.deepEqual([result, page.consoleErrors, page.uncaught], [[], [], []]);
  });

  test(`${react}: rendering on a server sends no requests and no exposures`, async () => {
    const sent = [];
    const requests = [];
    const { fetch } = globalThis;
    globalThis.fetch = (url) => requests.push(url);
    try {
      const integrations = [servers[react].Flags.exposureIntegration((exposure) => sent.push(exposure))];
      render(react, { bootstrap: BOOTSTRAP, integrations });
    } finally {
      globalThis.fetch = fetch;
    }
    assert.deepEqual([sent, requests], [[], []]);
  });
}
