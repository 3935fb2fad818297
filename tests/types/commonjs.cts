// The package as CommonJS: `require` returns a default export and named ones.
import type DefaultExport from "flagservice-client";
import { exposureIntegration, type FlagService } from "flagservice-client";

import required = require("flagservice-client");
import withoutWasm = require("flagservice-client/no-wasm");

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_proof: Same<A, B>): void {}

same<typeof required.default, required.FlagServiceStatic>(true);
same<typeof required.FlagService, required.FlagServiceStatic>(true);
same<typeof withoutWasm.FlagService, withoutWasm.FlagServiceStatic>(true);
same<typeof DefaultExport, typeof FlagService>(true);
required.FlagService.init("js-key", {}, { integrations: [exposureIntegration(() => {})] })
  .evaluate("a")
  .isOn();
// @ts-expect-error: the module is not the FlagService object itself
required.init("js-key");
