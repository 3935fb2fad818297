// The script tag: defines the global FlagService. The build without wasm is next to its file.
import { insideOr } from "../cores/inside.js";
import { loadNoWasm } from "../cores/load-no-wasm.js";
import { flagService } from "../flagservice.js";
import { isPage } from "../page.js";

// An image of the page whose name is `currentScript` hides the property; a script element cannot.
const script = isPage && document.currentScript;
const src = script && script instanceof HTMLScriptElement && script.src;
// A content delivery network also has addresses that are the name of a package. Next to that are the packages of others.
const sibling = src && /\.m?js$/.test(new URL(src).pathname) && new URL("no-wasm-core.mjs", src).href;
const source = insideOr((settings) => loadNoWasm((url) => import(url), settings, sibling));

Object.assign(globalThis, { FlagService: flagService(source) });
