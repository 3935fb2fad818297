// PostgreSQL fails over while a page is open.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop, shows } from "../support/browser/shop.mjs";
import { HANG_TIMEOUT_MS } from "../support/hang-timeout.mjs";
import { startService } from "../support/server/service.mjs";
import { startTwoPostgres } from "../support/server/two-postgres.mjs";

const FEATURE = "new-checkout";
const POLL_MS = 50;
const OF_NODES = "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

let postgres;
let service;
let browser;
let page;
/** The streams that the page has opened. */
const streams = [];

before(async () => {
  [postgres, browser] = await Promise.all([startTwoPostgres(), launchBrowser()]);
  service = await startService([], postgres.url);
  const context = await browser.newContext();
  context.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/stream")) streams.push(request);
  });
  page = await openShop(context, service);
});

after(async () => {
  await browser?.close();
  await service?.remove();
  await postgres?.remove();
});

test("when the primary is killed and the standby promoted, writes continue, none acknowledged is lost, streams stay open", async () => {
  await changeAndSee(true);
  await changeAndSee(false);
  await service.change(FEATURE, { enabled: true });
  await postgres.primary.kill();
  const served = await service.load({ id: "ada" });
  assert.equal(served[FEATURE], "on");
  await postgres.promote();
  await acknowledged("winter-sale", { enabled: true, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] });
  await shows(page, "winter-sale", "on");
  await shows(page, FEATURE, "on");
  assert.equal((await service.read(FEATURE)).enabled, true);
  await changeAndSee(false);
  assert.equal(streams.length, 1);
  assert.deepEqual(page.wrongs, []);
});

test("a replaced primary that comes back and takes writes is not used, also by a server that starts", async () => {
  const replaced = postgres.standby;
  await replaced.start();
  assert.equal(await replaced.query("SELECT pg_is_in_recovery()"), "f");
  await service.kill();
  await service.start();
  await changeAndSee(true);
  await postgres.primary.isTrue(`SELECT count(*) > 0 ${OF_NODES}`);
  await replaced.isTrue(`SELECT count(*) = 0 ${OF_NODES}`);
});

test("a primary that becomes read-only is left for the promoted standby, and the log names each host while none takes writes", async () => {
  await postgres.addStandby();
  await changeAndSee(false);
  const opened = streams.length;
  const { primary } = postgres;
  // Hosts may have been named before: while the first primary was dead and the standby not promoted.
  const logged = (await service.log()).length;
  await primary.query("ALTER SYSTEM SET default_transaction_read_only = on");
  await primary.query("SELECT pg_reload_conf()");
  const read = await until(async () =>
    (await service.log()).slice(logged).match(/No host of the database .* takes writes\. [^"]*/),
  );
  for (const { port } of [postgres.primary, postgres.standby])
    assert.match(read[0], new RegExp(`127\\.0\\.0\\.1:${port}: it is a standby, or read-only`));
  await postgres.promote();
  await acknowledged(FEATURE, { enabled: true });
  await shows(page, FEATURE, "on");
  await changeAndSee(false);
  assert.equal(streams.length, opened);
  assert.deepEqual(page.wrongs, []);
});

async function changeAndSee(enabled) {
  await service.change(FEATURE, { enabled });
  await shows(page, FEATURE, enabled ? "on" : "off");
}

/** Repeats a change until it is acknowledged. It may only fail because the database is not available. */
function acknowledged(feature, changes) {
  return until(async () => {
    const refusal = await service.change(feature, changes).then(
      () => undefined,
      (error) => error,
    );
    if (refusal !== undefined) assert.match(refusal.message, / 503 /);
    return refusal === undefined;
  });
}

async function until(holds) {
  const deadline = Date.now() + HANG_TIMEOUT_MS;
  for (;;) {
    const result = await holds();
    if (result) return result;
    assert.ok(Date.now() < deadline, `${holds} within ${HANG_TIMEOUT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
