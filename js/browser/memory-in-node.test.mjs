// Memory use of evaluations in Node. A separate file, so that no other test uses this process.
import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertHeapStaysFlat, FEATURES, prepare } from "../../tests/support/browser/memory.mjs";

const DIST = join(import.meta.dirname, "..", "..", "dist", "flagservice-client", "dist");

/** Runs `work` with a function that sends a command to the inspector. */
async function withInspector(work) {
  const inspector = new Session();
  inspector.connect();
  try {
    await work((method, params) => inspector.post(method, params));
  } finally {
    inspector.disconnect();
  }
}

for (const file of ["node.mjs", "no-wasm.mjs"]) {
  test(`ten million evaluations with ${file} in Node do not grow the heap, and none allocates`, async () => {
    const { FlagService } = await import(join(DIST, file));
    prepare(FlagService, { bootstrap: FEATURES });
    evaluations(4);
    await withInspector((post) => assertHeapStaysFlat(post, evaluations, listen));
    assert.equal(sent, 4);
  });

  test(`with ${file} in Node, nothing remains of a client that is not closed`, async () => {
    const { FlagService } = await import(join(DIST, file));
    /** Of what a client refers to, the page has the logger. */
    const render = async () => {
      const logger = { warn: assert.fail, error: assert.fail };
      const client = FlagService.init("js-key", { id: "ada" }, { bootstrap: FEATURES, logger });
      await new Promise((resolve) => client.on("LOADED", resolve));
      assert.equal(client.evaluate("c").value(), "blue");
      return new WeakRef(logger);
    };
    const logger = await render();
    await withInspector((post) => post("HeapProfiler.collectGarbage"));
    assert.equal(logger.deref(), undefined);
  });
}
