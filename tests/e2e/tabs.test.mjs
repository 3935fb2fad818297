// Eight tabs of one HTTP/1.1 origin, to which a browser opens six connections. The tabs share one stream.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Window } from "../support/browser/tabs.mjs";
import { startService } from "../support/server/service.mjs";

const TABS = 8;
// Without a shared stream the seventh tab would wait for a connection that a hidden tab keeps for 15 s.
const LOADED = "document.querySelector('[data-event=INIT]')";

let service;
let window;

before(async () => {
  [service, window] = await Promise.all([startService(), Window.open()]);
});

after(async () => {
  await window?.close();
  await service?.remove();
});

function shown(variant) {
  return `document.querySelector('[data-feature=new-checkout][data-variant=${variant}]')`;
}

test("each of eight tabs shows the current values when it becomes visible", async () => {
  const tabs = [];
  for (let number = 0; number < TABS; number += 1) {
    const tab = await window.tab(service.shop);
    await tab.until(LOADED);
    tabs.push(tab);
  }
  const states = await Promise.all(tabs.map((tab) => tab.evaluate("document.visibilityState")));
  assert.deepEqual(states, [...Array(TABS - 1).fill("hidden"), "visible"]);
  for (const enabled of [true, false]) {
    await service.change("new-checkout", { enabled });
    for (const tab of tabs) {
      await tab.bringToFront();
      await tab.until(shown(enabled ? "on" : "off"));
    }
  }
});
