// The script tag: defines the global FlagService.
import { FlagService } from "../flagservice.js";

Object.assign(globalThis, { FlagService });
