import FlagService from "flagservice-client/wasm";
import { follow } from "./follow.js";

follow(FlagService);
