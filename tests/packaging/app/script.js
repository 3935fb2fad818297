import "flagservice-client/script";
import { follow } from "./follow.js";

follow(globalThis.FlagService);
