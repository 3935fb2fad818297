// wasm-bindgen's glue: under the short names of the optimised wasm, and without what it carries for other hosts than ours.

/** Module name of all imports, as wasm-opt shortens it. */
const MODULE = "a";

/**
 * Parts of the glue with shorter ones that do the same in the browsers of the README's table. Each has to be found, so that
 * a new version of wasm-bindgen is looked at.
 */
const SHORTER = [
  // A client that is closed is freed by the shell, and one that is not is needed by what it listens to.
  [/const ClientFinalization = [^;]+;/, ""],
  [/\n *ClientFinalization\.register\([^;]*\);/, ""],
  [/\n *ClientFinalization\.unregister\([^;]*\);/, ""],
  [/if \(Symbol\.dispose\) [^;]+;/, ""],
  [
    /(?<=function getDataViewMemory0\(\) \{)[^}]+\}\s*return cachedDataViewMemory0;/,
    "return new DataView(wasm.memory.buffer);",
  ],
  [/let cachedDataViewMemory0 = null;/, ""],
  [
    /(?<=function getUint8ArrayMemory0\(\) \{)[^}]+\}\s*return cachedUint8ArrayMemory0;/,
    "return new Uint8Array(wasm.memory.buffer);",
  ],
  [/let cachedUint8ArrayMemory0 = null;/, ""],
  [
    /(?<=function passStringToWasm0\(arg, malloc, realloc\) \{)[\s\S]+?(?=\n\})/,
    `
    const bytes = cachedTextEncoder.encode(arg);
    const ptr = malloc(bytes.length, 1) >>> 0;
    getUint8ArrayMemory0().set(bytes, ptr);
    WASM_VECTOR_LEN = bytes.length;
    return ptr;`,
  ],
  [/, wasm\.__wbindgen_realloc\)/g, ")"],
  [/if \(!\('encodeInto' in cachedTextEncoder\)\) \{[\s\S]+?\n\}/, ""],
  [
    /let cachedTextDecoder = [^;]+;\s*cachedTextDecoder\.decode\(\);/,
    "const cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });",
  ],
  [/const MAX_SAFARI_DECODE_BYTES = [^;]+;\s*let numBytesDecoded = 0;/, ""],
  [/\n *numBytesDecoded \+= len;[\s\S]+?numBytesDecoded = len;\s*\}/, ""],
];

const START = [
  /export function __wbg_set_wasm\(val\) \{\s*wasm = val;\s*\}/,
  "export function setExports(val) { wasm = val; wasm.__wbindgen_start?.(); }",
];

/** The glue without what is not needed. */
export function shorten(glue) {
  return [...SHORTER, START].reduce((shorter, [part, replacement]) => {
    if (shorter.search(part) < 0) throw new Error(`wasm-bindgen's glue has no longer what ${part} describes.`);
    return shorter.replace(part, replacement);
  }, glue);
}

/** The glue as a module of the core's classes, `imports` and `setExports`, under the names of the optimised wasm. */
export function joinNames(glue, { imports, exports }) {
  const exported = new Map(exports.map(([long, short]) => [long, short]));
  const bodies = new Map();
  const rest = glue
    .replace(/\bwasm\.(\w+)/g, (whole, name) => (exported.has(name) ? `wasm.${exported.get(name)}` : whole))
    .replace(IMPORT, (_, name, parameters, body) => {
      bodies.set(name, expression(parameters, body));
      return "";
    });
  const members = imports.map(([, long, short]) => {
    if (!bodies.has(long)) throw new Error(`wasm-bindgen's glue has no function ${long}.`);
    return `  ${short}: ${bodies.get(long)},`;
  });
  return `${rest}
${CATCHING}
export const imports = { ${MODULE}: {
${members.join("\n")}
} };
`;
}

/** A function that the wasm imports: its name, its parameters, and its body up to the brace that begins a line. */
const IMPORT = /^export function (__wb\w+)\(([^)]*)\) \{([\s\S]*?)^\}(?:, arguments\); \})?$/gm;

/** Hands what an import throws to the core, as wasm-bindgen's `handleError` does it with `arguments`. */
const CATCHING = `const catching = (f) => (...args) => handleError(f, args);`;

/** An arrow function is shorter than a function with a name that is used once. */
function expression(parameters, body) {
  const caught = body.match(/^ return handleError\(function \(([^)]*)\) \{([\s\S]*)$/);
  return caught ? `catching((${caught[1]}) => {${caught[2]}})` : `(${parameters}) => {${body}}`;
}
