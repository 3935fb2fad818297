// The rules compiled to wasm. Loaded when the first client starts, not when the package is imported.

/** A compiled feature. */
export interface WasmFeature {
  variants(): string[];
  variantIndex(now: number): number;
  hasExperiment(): boolean;
  experimentEntry(now: number): string | undefined;
  free(): void;
}

/** The exports of crates/node. */
export interface Wasm {
  readonly Feature: new (feature: unknown) => WasmFeature;
  setUser(json: string): void;
}

declare function require(name: string): unknown;

/** The instance, which all clients of the process share. */
export function wasm(): Wasm {
  return require("../../dist/.work/node/flagservice_node.cjs") as Wasm;
}
