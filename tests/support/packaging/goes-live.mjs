// A page with app/follow.js goes live: it answers at once, loads, and follows a change.
import assert from "node:assert/strict";

/** A policy that refuses wasm and every script that is no file of the site or of the service. */
export const noWasm = (service) => ({ "content-security-policy": `script-src 'self' ${service.base}` });

/**
 * Opens the page at `address` and waits until it is live with the fake service. Returns what the client logged (`said`) and the
 * paths of the scripts and wasm files that the page loaded (`code`). Fails on any error on the page, except a 404 if a file is known
 * to be `missing`. `noWasmUrl` is the setting of that name.
 */
export async function goesLive(browser, service, address, { missing = false, noWasmUrl } = {}) {
  service.reset();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const wrongs = [];
    const said = [];
    const code = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/\.(m?js|wasm)$/.test(pathname)) code.push(pathname);
    });
    page.on("pageerror", (error) => wrongs.push(error.message));
    page.on("console", (message) => {
      if (message.text().startsWith("FlagService: ")) said.push(message.text());
      else if (message.type() === "error" && !(missing && /404/.test(message.text()))) wrongs.push(message.text());
    });
    await page.goto(`${address}?${new URLSearchParams({ service: service.base, ...(noWasmUrl && { noWasmUrl }) })}`);
    const shows = (what, variant) => page.waitForSelector(`body[data-${what}="${variant}"]`, { state: "attached" });
    await shows("first", "bootstrap");
    await shows("loaded", "on");
    await service.waitForStreams(1);
    service.change({ a: "off" });
    await shows("moved", "off");
    assert.deepEqual(wrongs, []);
    return { said, code };
  } finally {
    await context.close();
  }
}
