// What the tests of a file stand on: a service that answers as they want it and a browser, as new for each test.
import { after, before, beforeEach } from "node:test";
import { Browser } from "./browser.mjs";
import { StandIn } from "./stand-in.mjs";

/** Has both started before the tests of this file, or of this suite, and ended after them. */
export function stage() {
  const service = new StandIn();
  const browser = new Browser();

  before(() => Promise.all([service.listen(), browser.start()]));

  beforeEach(async () => {
    await browser.clear();
    service.reset();
  });

  after(async () => {
    await browser.close();
    await service.stop();
  });

  return { service, browser };
}
