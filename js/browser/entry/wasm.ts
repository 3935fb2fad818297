// The package with the wasm in a file of its own: clients answer from what is known, and go live when the file is there.
import { guarded, REFUSED } from "../core.js";
import { arrived, streamed } from "../cores/streamed.js";
import { flagService } from "../flagservice.js";

export { analyticsIntegration, exposureIntegration } from "../integrations.js";

let said = false;

export const FlagService = flagService({
  now() {
    const Cores = arrived();
    if (!Cores) throw new Error("The wasm file is not there yet.");
    return Cores;
  },
  // In these words bundlers know the file as one that goes with the script.
  later: (say) =>
    streamed(new URL("./core.wasm", import.meta.url)).catch(async (error) => {
      if (!said) say(REFUSED, error);
      said = true;
      const { noWasm } = await import("../cores/no-wasm.js");
      return noWasm(guarded);
    }),
});
export default FlagService;
