import FlagService from "flagservice-client";
import { follow } from "./follow.js";

follow(FlagService);
