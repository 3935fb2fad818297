// biome-ignore lint/correctness/noUnusedImports: that is what this module is for.
import FlagService, { exposureIntegration } from "flagservice-client";

document.body.dataset.unused = "yes";
