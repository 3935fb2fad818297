// The script tag: defines the global FlagService. The build without wasm stands beside it, or where `data-no-wasm` says.
import { type CoreClass, guarded } from "../core.js";
import { insideOr } from "../cores/inside.js";
import { flagService } from "../flagservice.js";

const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;
const beside = script?.src && new URL("no-wasm-core.mjs", script.src).href;
const address = script?.dataset.noWasm || beside;

async function later(): Promise<CoreClass> {
  if (!address) throw new Error("The script names no address: give it a data-no-wasm.");
  const { noWasm } = (await import(address)) as typeof import("../cores/no-wasm.js");
  return noWasm(guarded);
}

Object.assign(globalThis, { FlagService: flagService(insideOr(later)) });
