// The script tag without wasm.
import { noWasm } from "../cores/no-wasm.js";
import { flagService } from "../flagservice.js";

Object.assign(globalThis, { FlagService: flagService({ now: () => noWasm() }) });
