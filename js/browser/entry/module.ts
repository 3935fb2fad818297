// The package: the wasm is inside, and the build without wasm is loaded where that is refused.
import { guarded } from "../core.js";
import { insideOr } from "../cores/inside.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(
  insideOr(() => import("../cores/no-wasm.js").then(({ noWasm }) => noWasm(guarded))),
);
export default FlagService;
