// Memory use of evaluations in Node. A separate file, so that no other test uses this process.
import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertHeapStaysFlat, FEATURES, prepare } from "../../tests/support/browser/memory.mjs";

const DIST = join(import.meta.dirname, "..", "..", "dist", "flagservice-client", "dist");

for (const file of ["index.mjs", "no-wasm.mjs"]) {
  test(`ten million evaluations with ${file} in Node do not grow the heap, and none allocates`, {
    timeout: 60_000,
  }, async () => {
    const { FlagService } = await import(join(DIST, file));
    prepare(FlagService, { bootstrap: FEATURES });
    const inspector = new Session();
    inspector.connect();
    try {
      evaluations(4);
      await assertHeapStaysFlat((method, params) => inspector.post(method, params), evaluations, listen);
      assert.equal(sent, 4);
    } finally {
      inspector.disconnect();
    }
  });
}
