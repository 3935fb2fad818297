import FlagService from "flagservice-client";

globalThis.client = FlagService.init("js-key");
