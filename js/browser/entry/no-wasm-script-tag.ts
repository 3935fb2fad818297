// The script tag without wasm.
import { withoutWasm } from "../cores/no-wasm.js";
import { flagService } from "../flagservice.js";

Object.assign(globalThis, { FlagService: flagService(withoutWasm) });
