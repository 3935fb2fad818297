// Failures that must not affect the page: storage, responses, and code of the page that throws.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../../scripts/free-port.mjs";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

/** Checks that the client works whatever its storage does. */
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
  assert.deepEqual(page.uncaught, []);
  assert.deepEqual(page.logs, []);
}

test("the client works where storage is blocked", async () => {
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

test("the client works without storage", async () => {
  await works(await browser.open(service, () => Object.defineProperty(window, "localStorage", { value: null })));
});

test("the client works with full storage", async () => {
  await works(
    await browser.open(service, () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    }),
  );
});

test("the client works if every method of storage throws", async () => {
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

test("invalid responses fire ERROR, and the client answers with the fallbacks", async () => {
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
    service.handlers.load = (_request, response) => response.writeHead(status, { location: "/" }).end(body);
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
  assert.deepEqual(page.uncaught, []);
});

test("invalid values are ignored, and the others are used", async () => {
  service.handlers.load = function (_request, response) {
    const features = { a: "on", b: 7, c: null, d: { e: "f" }, g: ["h"], i: true, "j\0k": "on", l: "o\0n", m: "" };
    response.end(JSON.stringify({ features, since: this.since, token: "t", more: 1 }));
  };
  const page = await browser.open(service);
  const features = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    return client.getFeatures();
  });
  assert.deepEqual(features, { a: "on", "j\0k": "on", l: "o\0n" });
});

// With a limit, because the sentence says when.
test("a load without a response times out after ten seconds and is retried", { timeout: 40_000 }, async () => {
  service.handlers.load = () => {
    delete service.handlers.load;
  };
  const page = await browser.open(service);
  const { message, afterMs } = await page.evaluate(async () => {
    // Measured in the page: on a busy machine, the request reaches the service late.
    const startedAt = performance.now();
    start({ id: "alice" });
    const message = await until("ERROR");
    const afterMs = performance.now() - startedAt;
    await until("LOADED");
    return { message, afterMs };
  });
  assert.match(message, /10 seconds/);
  assert.ok(afterMs >= 9_900, `${afterMs} ms`);
  assert.equal(await page.evaluate(() => client.evaluate("a").value()), "on");
});

test("the client works if fetch throws, is missing, or returns no promise", async () => {
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
    assert.deepEqual(page.uncaught, [], replace);
  }
});

test("the client works if the logger and callbacks throw", async () => {
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
  assert.deepEqual(page.uncaught, []);
});

test("messages go to the page's logger", async () => {
  const page = await browser.open(service);
  const lines = await page.evaluate(() => {
    const lines = [];
    start({ id: 7 }, { logger: { warn: (text) => lines.push(text), error: (text) => lines.push(text) } });
    return lines;
  });
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^FlagService: user\.id/);
  assert.deepEqual(page.logs, []);
});

test("the client works with ten thousand features", async () => {
  for (let number = 0; number < 10_000; number++)
    service.features[`feature-${(number * 7919) % 10_000}`] = `v${number}`;
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await service.waitForStreams(1);
  service.change({ "feature-7919": "changed" });
  await page.waitForFunction(() => client.evaluate("feature-7919").is("changed"));
  const seen = await page.evaluate(() => [
    Object.keys(client.getFeatures()).length,
    client.evaluate("feature-0").value(),
  ]);
  assert.deepEqual(seen, [10_002, "v0"]);
});

test("the client works with Trusted Types enforced", async () => {
  const policy = "require-trusted-types-for 'script'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
  service.headers = { "content-security-policy": policy };
  const page = await browser.open(service);
  const features = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    return client.getFeatures();
  });
  assert.deepEqual(features, { a: "on", b: "off" });
  assert.deepEqual(page.uncaught, []);
});

test("full storage, a throwing analytics tool and an unreachable service cause no uncaught error, and the client answers", async () => {
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  const page = await browser.open(service);
  const seen = await page.evaluate(async (baseUrl) => {
    let filling = "x".repeat(1 << 20);
    for (let number = 0; filling; number++) {
      try {
        localStorage.setItem(`filling-${number}`, filling);
      } catch {
        filling = filling.slice(filling.length / 2 + 0.5);
      }
    }
    const stored = JSON.stringify({ ...localStorage });
    let calls = 0;
    const throws = () => {
      calls += 1;
      throw new Error("from the analytics tool");
    };
    const tools = [
      { track: throws, identify: throws },
      { track: throws, identify: throws, Identify: throws },
    ];
    const integrations = [
      ...tools.map((tool) => FlagService.analyticsIntegration(tool)),
      FlagService.exposureIntegration(throws),
      FlagService.exposureIntegration(() => {}, { flags: throws }),
    ];
    const client = start({ id: "alice" }, { baseUrl, integrations, defaultFeatures: { a: "def" } });
    const answers = [];
    const read = () => answers.push(client.evaluate("a").value(), client.evaluate("b").value());
    let failures = 0;
    const errors = (count) =>
      new Promise((resolve) => {
        const wanted = failures + count;
        client.on("ERROR", () => failures >= wanted && resolve());
      });
    client.on("ERROR", () => {
      failures += 1;
    });
    read();
    client.goal("purchase");
    await errors(2);
    read();
    client.updateUser(undefined, throws);
    read();
    await errors(2);
    client.goal("purchase");
    client.resetAnonymousId();
    read();
    return { answers, calls, full: JSON.stringify({ ...localStorage }) === stored && stored.length > 1 << 20 };
  }, unreachable);
  assert.equal(seen.full, true, "storage was full all the time");
  assert.ok(seen.calls >= 8, `the tools were called: ${seen.calls}`);
  assert.deepEqual(seen.answers, Array(4).fill(["def", "off"]).flat());
  assert.deepEqual(page.uncaught, []);
  assert.deepEqual(page.consoleErrors, []);
  assert.ok(page.logs.length > 0);
});
