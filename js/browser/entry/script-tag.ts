// The script tag: defines the global FlagService. The build without wasm is next to it.
import { insideOr } from "../cores/inside.js";
import { loadNoWasm } from "../cores/load-no-wasm.js";
import { flagService } from "../flagservice.js";
import { isPage } from "../page.js";

// An image of the page whose name is `currentScript` hides the property; a script element cannot.
const script = isPage && document.currentScript;
const src = script && script instanceof HTMLScriptElement && script.src;
const sibling = src ? new URL("no-wasm-core.mjs", src).href : undefined;
const source = insideOr((settings) => loadNoWasm((url) => import(url), settings, sibling));

Object.assign(globalThis, { FlagService: flagService(source) });
