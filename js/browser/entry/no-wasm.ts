// The package without wasm.
import { noWasm } from "../cores/no-wasm.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService({ now: () => noWasm() });
export default FlagService;
