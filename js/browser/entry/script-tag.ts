// The script tag: defines the global FlagService. The build without wasm is next to it, or at the URL in `data-no-wasm`.
import type { Core } from "../core.js";
import { insideOr } from "../cores/inside.js";
import { flagService } from "../flagservice.js";
import { guarded } from "../trap.js";

/** The element of this script. The getter of the prototype, because an element whose name is `currentScript` hides the property. */
function ownElement(): HTMLScriptElement | undefined {
  const property = globalThis.Document && Object.getOwnPropertyDescriptor(Document.prototype, "currentScript");
  return property?.get?.call(document);
}

const script = ownElement();
const sibling = script?.src && new URL("no-wasm-core.mjs", script.src).href;
const url = script?.dataset.noWasm || sibling;

async function loadNoWasm(): Promise<Core> {
  if (!url) throw new Error("The script has no src: set data-no-wasm.");
  const { noWasm } = (await import(url)) as typeof import("../cores/no-wasm.js");
  return noWasm(guarded);
}

Object.assign(globalThis, { FlagService: flagService(insideOr(loadNoWasm)) });
