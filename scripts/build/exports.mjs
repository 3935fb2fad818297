// Removes exports that the glue never calls, so that the optimiser can remove the code behind them.
import binaryen from "binaryen";

/** The wasm without the exports that the glue does not use. */
export function dropUnusedExports(wasm, glue) {
  const used = new Set(Array.from(glue.matchAll(/\bwasm\.(\w+)/g), ([, name]) => name));
  binaryen.setDebugInfo(true);
  const module = binaryen.readBinary(wasm);
  const names = [];
  for (let index = 0; index < module.getNumExports(); index++) {
    names.push(binaryen.getExportInfo(module.getExportByIndex(index)).name);
  }
  if (names.includes("__wbindgen_start")) {
    throw new Error("The wasm has a start function, which setExports in glue.mjs does not call.");
  }
  for (const name of names.filter((name) => !used.has(name))) module.removeExport(name);
  const trimmed = module.emitBinary();
  module.dispose();
  return trimmed;
}
