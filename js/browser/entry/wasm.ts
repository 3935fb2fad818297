// The package with the wasm in a separate file.
import { streamed } from "../cores/streamed.js";
import { wasmCore } from "../cores/wasm.js";
import { flagService } from "../flagservice.js";
import { guarded } from "../trap.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(
  wasmCore(
    // Bundlers recognise this expression and include the file.
    () => streamed(new URL("./core.wasm", import.meta.url)),
    () => import("../cores/no-wasm.js").then(({ noWasm }) => noWasm(guarded)),
  ),
);
export default FlagService;
