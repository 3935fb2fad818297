// wasm-bindgen's glue under the short names of the optimised wasm.

/** Module name of all imports, as wasm-opt shortens it. */
const MODULE = "a";

/** The glue as a module of the core's classes, `imports` and `setExports`. */
export function joinNames(glue, { imports, exports }) {
  const exported = new Map(exports.map(([long, short]) => [long, short]));
  const started = glue.replace(
    /export function __wbg_set_wasm\(val\) \{\s*wasm = val;\s*\}/,
    "export function setExports(val) { wasm = val; wasm.__wbindgen_start(); }",
  );
  const renamed = started
    .replaceAll("export function __wb", "function __wb")
    .replace(/\bwasm\.(\w+)/g, (whole, name) => (exported.has(name) ? `wasm.${exported.get(name)}` : whole));
  const functions = imports.map(([, long, short]) => `  ${short}: ${long},`);
  return `${renamed}
export const imports = { ${MODULE}: {
${functions.join("\n")}
} };
`;
}
