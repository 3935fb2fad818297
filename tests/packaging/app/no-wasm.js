import { FlagService } from "flagservice-client/no-wasm";
import { follow } from "./follow.js";

follow(FlagService);
