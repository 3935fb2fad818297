// The rules as wasm: compiled when the first client begins, and not when the package is imported.

/** A feature, ready for many evaluations. */
export interface WasmFeature {
  variants(): string[];
  place(now: number): number;
  nextTurn(now: number): number | undefined;
  free(): void;
}

/** What crates/node gives. */
export interface Wasm {
  readonly Feature: new (feature: unknown) => WasmFeature;
  enter(user: string): void;
}

declare function require(name: string): unknown;

/** The one instance: the users that enter are everybody's. */
export function wasm(): Wasm {
  return require("../../dist/.work/node/flagservice_node.cjs") as Wasm;
}
