// Shortens wasm-bindgen's glue: the short names of the optimised wasm, and no code for hosts that we do not support.

/** Module name of all imports, as shortened by wasm-opt. */
const MODULE = "a";

/**
 * Parts of the glue and shorter replacements that work in all supported browsers. Each pattern must match, so that a new
 * version of wasm-bindgen is noticed.
 */
const SHORTER = [
  // The shell frees closed clients, and the listeners of an open client keep it alive.
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
  // esbuild keeps a variable that is only an argument of a call.
  [/const ret = (.+);\n *return (\w+)\(ret\);/g, "return $2($1);"],
];

const START = [
  /export function __wbg_set_wasm\(val\) \{\s*wasm = val;\s*\}/,
  "export function setExports(val) { wasm = val; }",
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

/** A function that the wasm imports: name, parameters, and body up to the brace at the start of a line. */
const IMPORT = /^export function (__wb\w+)\(([^)]*)\) \{([\s\S]*?)^\}(?:, arguments\); \})?$/gm;

/** Passes an exception of an import to the core, as wasm-bindgen does with `arguments`. */
const CATCHING = `const catching = (f) => (...args) => handleError(f, args);`;

/** As an arrow function, which is shorter than a named function that is used once. */
function expression(parameters, body) {
  const caught = body.match(/^ return handleError\(function \(([^)]*)\) \{([\s\S]*)$/);
  return caught ? `catching((${caught[1]}) => {${caught[2]}})` : `(${parameters}) => {${body}}`;
}
