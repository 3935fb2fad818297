// Replaces panics with traps. In a page the shell continues without the core and nobody reads the message, so the formatting code
// and the messages, which reveal folders of the build machine, are removed.
import binaryen from "binaryen";

/** Functions that format a panic or that only a panic calls. A call of one of them becomes a trap. */
const PANIC = new RegExp(
  [
    /panicking|PanicPayload|core(\[\w+\])?::fmt\b|::fmt(::h[0-9a-f]+)?$/,
    /(slice_index|slice_error|assert|unwrap|expect|borrow)_fail/,
    /handle_alloc_error|handle_error|rust_oom|capacity_overflow|panic_already/,
    /wasm_bindgen::throw_|__wbindgen_throw|jspi::(SpawnedTask|spawn_promising|task_waker)/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** The wasm with traps instead of panics. */
export function silencePanics(wasm) {
  binaryen.setDebugInfo(true);
  const module = binaryen.readBinary(wasm);
  let silenced = 0;
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const reference = module.getFunctionByIndex(index);
    const { name, module: importedFrom } = binaryen.getFunctionInfo(reference);
    if (importedFrom || !PANIC.test(name)) continue;
    binaryen.Function.setBody(reference, module.unreachable());
    silenced += 1;
  }
  if (silenced === 0) throw new Error("The wasm has no panic functions: its name section is missing.");
  const silent = module.emitBinary();
  module.dispose();
  return silent;
}
