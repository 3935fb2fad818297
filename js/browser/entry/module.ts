// The package: contains the wasm, and loads the build without it where WebAssembly is not available.
import { insideOr } from "../cores/inside.js";
import { flagService } from "../flagservice.js";
import { guarded } from "../trap.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(
  insideOr(() => import("../cores/no-wasm.js").then(({ noWasm }) => noWasm(guarded))),
);
export default FlagService;
