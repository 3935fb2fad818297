// The package with the wasm in a separate file.
import { loadNoWasm } from "../cores/load-no-wasm.js";
import { streamed } from "../cores/streamed.js";
import { wasmCore } from "../cores/wasm.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(
  wasmCore(
    // Bundlers recognise this expression and include the file. It throws where the module has no URL of its own, so it is called in a
    // promise.
    async () => streamed(new URL("./core.wasm", import.meta.url)),
    (settings) => loadNoWasm(importUrl, settings),
  ),
);
export default FlagService;
