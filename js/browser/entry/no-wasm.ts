// The package without wasm.
import { withoutWasm } from "../cores/no-wasm.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

export const FlagService = flagService(withoutWasm);
export default FlagService;
