// The client never hurts the page: storage that fails, answers that are wrong, code of the page that throws, traps.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { StandIn, startBrowser } from "../../tests/browser/stand-in.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([StandIn.start(), startBrowser()]);
});

beforeEach(async () => {
  await browser.clear();
  service.reset();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});
/** The client does its work whatever its storage does. */
async function works(page) {
  const seen = await page.evaluate(async () => {
    const client = start(undefined, { defaultFeatures: { d: "def" } });
    const other = FlagService.init("js-key");
    await until("LOADED");
    client.resetAnonymousId();
    client.updateUser();
    await until("LOADED");
    return [
      client.evaluate("a").value(),
      client.getUser().id === client.getAnonymousId(),
      other.getAnonymousId() === client.getAnonymousId(),
    ];
  });
  assert.deepEqual(seen, ["on", true, true]);
  assert.deepEqual(page.wrongs, []);
  assert.deepEqual(page.lines, []);
}

test("storage that is blocked", async () => {
  await works(
    await browser.open(service, () => {
      const blocked = {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      };
      Object.defineProperty(window, "localStorage", blocked);
      Object.defineProperty(Document.prototype, "cookie", { ...blocked, set: blocked.get });
    }),
  );
});

test("storage that is absent", async () => {
  await works(await browser.open(service, () => Object.defineProperty(window, "localStorage", { value: null })));
});

test("storage that is full", async () => {
  await works(
    await browser.open(service, () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    }),
  );
});

test("storage in which each call throws", async () => {
  await works(
    await browser.open(service, () => {
      for (const name of ["getItem", "setItem", "removeItem", "key"]) {
        Storage.prototype[name] = () => {
          throw new Error(name);
        };
      }
    }),
  );
});

test("answers that are wrong end in ERROR, and the client answers from what it has", async () => {
  const answers = [
    [200, ""],
    [200, "<html>"],
    [200, "null"],
    [200, "[]"],
    [200, "7"],
    [200, "{}"],
    [200, '{"features":[],"since":"1.1.1","token":"t"}'],
    [200, '{"features":{"a":"x"},"since":"","token":"t"}'],
    [200, '{"features":{"a":"x"},"since":7,"token":"t"}'],
    [200, '{"features":{"a":"x"},"since":"1.1.1"}'],
    [204, ""],
    [302, ""],
    [400, "{"],
    [401, ""],
    [403, '{"detail":7}'],
    [404, ""],
    [413, ""],
    [429, ""],
    [500, ""],
    [503, "x".repeat(1e6)],
  ];
  const page = await browser.open(service);
  const wrong = [];
  for (const [status, body] of answers) {
    service.answer.load = (_request, response) => response.writeHead(status, { location: "/" }).end(body);
    const [message, value] = await page.evaluate(async () => {
      const client = start({ id: "alice" }, { defaultFeatures: { a: "def" } });
      const message = await until("ERROR");
      const value = client.evaluate("a").value();
      client.close();
      return [message, value];
    });
    if (value !== "def" || !/^Features could not be loaded: /.test(message)) wrong.push([status, body, message, value]);
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(page.wrongs, []);
});

test("values of another kind are passed over, and the others are taken", async () => {
  service.answer.load = function (_request, response) {
    const features = { a: "on", b: 7, c: null, d: { e: "f" }, g: ["h"], i: true, "j\0k": "on", l: "o\0n" };
    response.end(JSON.stringify({ features, since: this.since, token: "t", more: 1 }));
  };
  const page = await browser.open(service);
  const features = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    return client.getFeatures();
  });
  assert.deepEqual(features, { a: "on" });
});

test("a load that never comes ends after ten seconds and is tried again", { timeout: 40_000 }, async () => {
  let begun;
  service.answer.load = () => {
    begun ??= Date.now();
    delete service.answer.load;
  };
  const page = await browser.open(service);
  const message = await page.evaluate(async () => {
    start({ id: "alice" });
    const message = await until("ERROR");
    await until("LOADED");
    return message;
  });
  assert.match(message, /10 seconds/);
  assert.ok(Date.now() - begun >= 9_900);
  assert.equal(await page.evaluate(() => client.evaluate("a").value()), "on");
});

test("a fetch of the page's own that throws, and a page without fetch", async () => {
  for (const replace of [
    "window.fetch = () => { throw new Error('no') }",
    "window.fetch = undefined",
    "window.fetch = () => 7",
  ]) {
    const page = await browser.open(service, replace);
    const value = await page.evaluate(async () => {
      start({ id: "alice" }, { defaultFeatures: { a: "def" } });
      client.goal("purchase");
      await until("ERROR");
      return client.evaluate("a").value();
    });
    assert.equal(value, "def", replace);
    assert.deepEqual(page.wrongs, [], replace);
  }
});

test("a logger and callbacks that throw", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    const throws = () => {
      throw new Error("no");
    };
    start({ id: "alice" }, { logger: { warn: throws, error: throws }, streaming: "yes" });
    client.on("INIT", throws);
    client.updateUser({ id: "bob" }, throws);
    await until("LOADED");
    client.goal();
  });
  assert.deepEqual(page.wrongs, []);
});

test("the page's logger gets the messages", async () => {
  const page = await browser.open(service);
  const lines = await page.evaluate(() => {
    const lines = [];
    start({ id: 7 }, { logger: { warn: (text) => lines.push(text), error: (text) => lines.push(text) } });
    return lines;
  });
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^FlagService: user\.id/);
  assert.deepEqual(page.lines, []);
});

test("ten thousand features", async () => {
  for (let number = 0; number < 10_000; number++)
    service.features[`feature-${(number * 7919) % 10_000}`] = `v${number}`;
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await service.open(1);
  service.change({ "feature-7919": "changed" });
  await page.waitForFunction(() => client.evaluate("feature-7919").is("changed"));
  const seen = await page.evaluate(() => [
    Object.keys(client.getFeatures()).length,
    client.evaluate("feature-0").value(),
  ]);
  assert.deepEqual(seen, [10_002, "v0"]);
});

const REFUSALS = {
  "by a policy": { policy: "script-src 'self' 'unsafe-inline'; connect-src 'self'" },
  "by a host without it": { script: "delete window.WebAssembly" },
};

for (const [how, { policy, script }] of Object.entries(REFUSALS)) {
  test(`where wasm is refused ${how}, the client answers in the same tick, says so once, and goes on live`, async () => {
    const page = await browser.open(service);
    const id = await page.evaluate(async () => {
      start();
      await until("LOADED");
      return client.getUser().id;
    });
    if (policy) service.headers = { "content-security-policy": policy };
    if (script) await page.addInitScript(script);
    service.features = { a: "fresh" };
    await page.goto(service.page);
    const config = { defaultFeatures: { a: "def", d: "def" } };
    const seen = await page.evaluate((config) => {
      const read = (client) => ["a", "b", "d", "x"].map((key) => client.evaluate(key).value());
      window.log = [];
      window.client = FlagService.init("js-key", undefined, config);
      for (const name of ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE", "ERROR"]) {
        client.on(name, (argument) => log.push([name, argument]));
      }
      const known = [read(client), client.getFeatures(), client.evaluateAll(), client.getUser().id];
      client.goal("purchase");
      const bootstrapped = FlagService.init("js-key", undefined, { ...config, bootstrap: { a: "boot" } });
      known.push(read(bootstrapped));
      bootstrapped.close();
      return known;
    }, config);
    const cached = { a: "on", b: "off" };
    assert.deepEqual(seen, [
      ["on", "off", "def", "off"],
      cached,
      { ...cached, d: "def" },
      id,
      ["boot", "off", "def", "off"],
    ]);
    await service.open(1);
    service.change({ a: "changed" });
    await page.waitForFunction(() => client.evaluate("a").is("changed"));
    assert.deepEqual(await page.evaluate(() => log), [
      ["LOADED_FROM_CACHE", cached],
      ["INIT", { a: "fresh" }],
      ["UPDATED_FEATURE", { a: "changed" }],
    ]);
    const [{ body }] = await service.asked("goals");
    assert.deepEqual(
      JSON.parse(body).goals.map(({ key, userId, features }) => ({ key, userId, features })),
      [{ key: "purchase", userId: id, features: cached }],
    );
    assert.equal(page.lines.length, 1);
    assert.match(page.lines[0], /WebAssembly/);
    assert.deepEqual(page.wrongs, []);
  });
}

test("with Trusted Types enforced the client works", async () => {
  const policy = "require-trusted-types-for 'script'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
  service.headers = { "content-security-policy": policy };
  const page = await browser.open(service);
  const features = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    return client.getFeatures();
  });
  assert.deepEqual(features, { a: "on", b: "off" });
  assert.deepEqual(page.wrongs, []);
});

test("where nothing can be loaded either, the client answers from what it has", async () => {
  service.headers = {
    "content-security-policy": "script-src 'sha256-AAAA' 'unsafe-inline' 'self'; connect-src 'none'",
  };
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
    Object.defineProperty(Document.prototype, "currentScript", { value: null });
  });
  const value = await page.evaluate(() => {
    start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    return client.evaluate("a").value();
  });
  await page.waitForFunction(() => true);
  assert.equal(value, "def");
  assert.deepEqual(page.wrongs, []);
});

test("a trap in wasm leaves a client that reports once and answers from what it had", async () => {
  const page = await browser.open(service, () => {
    WebAssembly.Instance = class extends WebAssembly.Instance {
      get exports() {
        const trapping =
          (call) =>
          (...args) => {
            if (window.trap) throw new WebAssembly.RuntimeError("unreachable");
            return call(...args);
          };
        const exports = Object.entries(super.exports);
        return Object.fromEntries(
          exports.map(([name, value]) => [name, typeof value === "function" ? trapping(value) : value]),
        );
      }
    };
  });
  await page.evaluate(() => start({ id: "alice" }, { defaultFeatures: { d: "def" } }));
  await service.open(1);
  const seen = await page.evaluate(() => {
    window.trap = true;
    return [client.evaluate("a").value(), client.evaluate("d").value(), client.getFeatures(), client.getUser()];
  });
  assert.deepEqual(seen, ["on", "def", { a: "on", b: "off" }, { id: "alice" }]);
  service.change({ a: "off" });
  await page.evaluate(() => {
    client.goal("purchase");
    client.updateUser({ id: "bob" });
    client.close();
  });
  assert.equal(page.lines.length, 1);
  assert.deepEqual(page.wrongs, []);
});
