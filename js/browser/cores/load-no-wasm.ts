// Loads the build without wasm, where WebAssembly is not available. Bundles do not contain it, because hardly any page needs it.
import type { Settings } from "../config.js";
import type { Core } from "../core.js";
import { guarded } from "../trap.js";

type Import = (url: string) => Promise<typeof import("./no-wasm.js")>;

declare global {
  /** The version of this package. The build defines it. */
  const VERSION: string;
  /** `import(url)` with comments that make bundlers leave it alone. The build adds it to modules. */
  const importUrl: Import;
}

/** Loads it by `load` from the page's `noWasmUrl`, else from `sibling`, else from the service, of which an offline client asks nothing. */
export async function loadNoWasm(
  load: Import,
  { noWasmUrl, baseUrl, live }: Settings,
  sibling?: string | false | null,
): Promise<Core> {
  const url = noWasmUrl || sibling || (live && `${baseUrl}/client/v1/no-wasm-core/${VERSION}.mjs`);
  // Nobody is told why: an offline client works without a core.
  if (!url) throw new Error();
  const { noWasm } = await load(url);
  return noWasm(guarded);
}
