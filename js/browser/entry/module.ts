// The package: contains the wasm, and loads the build without it where WebAssembly is not available.
import { insideOr } from "../cores/inside.js";
import { loadNoWasm } from "../cores/load-no-wasm.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(insideOr((settings) => loadNoWasm(importUrl, settings)));
export default FlagService;
