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
  [/ *__destroy_into_raw\(\) \{[\s\S]+?\n {4}\}\n/, ""],
  [
    /const ptr = this\.__destroy_into_raw\(\);\s*(wasm\.\w+)\(ptr, 0\);/,
    "$1(this.__wbg_ptr, 0);\n        this.__wbg_ptr = 0;",
  ],
  [/if \(Symbol\.dispose\) [^;]+;/, ""],
  [/static __wrap\(ptr\) \{[\s\S]+?\n {4}\}\n/, "constructor(ptr) {\n        this.__wbg_ptr = ptr;\n    }\n"],
  [/Client\.__wrap\(/g, "new Client("],
  // The memory has less than 2 GiB, and all other numbers are smaller.
  [/ >>> 0/g, ""],
  // A free place of the heap has the number of the next one. Behind the last there is nothing.
  [/if \(heap_next === heap\.length\) heap\.push\(heap\.length \+ 1\);\s*/, ""],
  [/(?<=heap_next = heap\[idx\]);/, " ?? idx + 1;"],
  [/(?<=new Array\(1024\))\.fill\(undefined\)/, ""],
  [/\bgetObject\((\w+)\)(?! \{)/g, "heap[$1]"],
  // What may be missing is an object.
  [/isLikeNone\((\w+)\) \? 0 : addHeapObject\(\1\)/g, "$1 ? addHeapObject($1) : 0"],
  // Texts, without views of the memory that are kept. The host has the byte order of wasm.
  [
    /(?<=__wbindgen_string_get_\w+\(arg0, arg1\) \{)[\s\S]+?(?=\n\})/,
    `
    const text = heap[arg1];
    let ptr = 0, bytes = [];
    if (typeof text === 'string') {
        bytes = new TextEncoder().encode(text);
        ptr = wasm.__wbindgen_malloc(bytes.length, 1);
        new Uint8Array(wasm.memory.buffer).set(bytes, ptr);
    }
    new Int32Array(wasm.memory.buffer, arg0).set([ptr, bytes.length]);`,
  ],
  // Made at the first use, because Jest's jsdom environment has neither class, and importing the client has to work there.
  [
    /return decodeText\(ptr, len\);/,
    `cachedTextDecoder ??= new TextDecoder(undefined, { ignoreBOM: true });
    return cachedTextDecoder.decode(new Uint8Array(wasm.memory.buffer, ptr, len));`,
  ],
  [/const cachedTextEncoder = [^;]+;\s*if \(!\('encodeInto' in cachedTextEncoder\)\) \{[\s\S]+?\n\}/, ""],
  [/let cachedTextDecoder = [^;]+;\s*cachedTextDecoder\.decode\(\);/, "let cachedTextDecoder;"],
  [/new Array\(\)/, "[]"],
  // esbuild inlines no function of several statements, and keeps a variable that is only an argument of a call.
  [/function dropObject\(idx\) \{\s*if \(idx < 1028\) return;[\s\S]+?\n\}\n/, ""],
  [/dropObject\(idx\);(?=\n *return ret;)/, "if (idx > 1027) { heap[idx] = heap_next; heap_next = idx; }"],
  [/const ret = (.+);\n *return ((?:new )?[\w.]+)\(ret\);/g, "return $2($1);"],
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
  if (caught) return `catching((${caught[1]}) => {${caught[2]}})`;
  // A single call needs no braces: the wasm takes no result of a function that has none.
  const [, call] = body.match(/^\s*((?:heap\[arg0\]\.|takeObject)[^;]+);\s*$/) ?? [];
  return `(${parameters}) => ${call ?? `{${body}}`}`;
}
