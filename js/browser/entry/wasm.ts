// The package with the wasm in a file of its own.
import { guarded } from "../core.js";
import { streamed } from "../cores/streamed.js";
import { wasm } from "../cores/wasm.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(
  wasm(
    // In these words bundlers know the file as one that goes with the script.
    () => streamed(new URL("./core.wasm", import.meta.url)),
    () => import("../cores/no-wasm.js").then(({ noWasm }) => noWasm(guarded)),
  ),
);
export default FlagService;
