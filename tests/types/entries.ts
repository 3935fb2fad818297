// The other entries have the same types as the first; the files for a script tag have a global.
import "flagservice-client/script";
import "flagservice-client/script/no-wasm";
import FlagService, { type FlagServiceStatic, FlagService as Named } from "flagservice-client";
import WithoutWasm, { analyticsIntegration, FlagService as NamedWithoutWasm } from "flagservice-client/no-wasm";
import Streamed, { exposureIntegration, FlagService as NamedStreamed } from "flagservice-client/wasm";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_proof: Same<A, B>): void {}

for (const entry of [FlagService, Named, WithoutWasm, NamedWithoutWasm, Streamed, NamedStreamed]) {
  same<typeof entry, FlagServiceStatic>(true);
  entry.init("js-key", {}, { integrations: [exposureIntegration(() => {}), analyticsIntegration({ track() {} })] });
}
same<typeof globalThis.FlagService, FlagServiceStatic>(true);
// @ts-expect-error: the package's internal files are not exported
export type Inside = typeof import("flagservice-client/dist/index.mjs");
