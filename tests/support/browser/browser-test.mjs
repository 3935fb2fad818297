// What a test file of the browser client needs: a fake service and a browser, reset before each test.
import { after, before, beforeEach } from "node:test";
import { FakeService } from "./fake-service.mjs";
import { TestBrowser } from "./test-browser.mjs";

/** Starts both before the tests of this file or suite, and stops them afterwards. `options` are those of `TestBrowser`. */
export function setupBrowserTest(options) {
  const service = new FakeService();
  const browser = new TestBrowser(options);

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
