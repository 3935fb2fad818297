// The application's settings, checked: what cannot be used is reported and left out, and never throws.

import { type Features, readFeatures } from "../shared/features.js";
import type { Config, Logger } from "./public.js";

const POLL_MS = 30_000;
const LEAST_POLL_MS = 1_000;

/** What a client works with. */
export interface Settings {
  readonly streaming: boolean;
  readonly pollInterval: number;
  readonly offline: boolean;
  readonly defaults: Features;
  /** None: nobody can be asked. */
  readonly baseUrl: string | undefined;
  readonly file: string | undefined;
  readonly logger: Logger;
}

/** Reads the settings that were given to `init`. */
export function checked(given: unknown): Settings {
  const config: Config = typeof given === "object" && given && !Array.isArray(given) ? given : {};
  const setting = (name: keyof Config): unknown => {
    try {
      return config[name] ?? undefined;
    } catch {
      return undefined;
    }
  };
  const own = setting("logger");
  const logger = safe(isLogger(own) ? own : console);
  const refuse = (name: string, remedy: string): void => logger.warn(`config.${name} is ignored: ${remedy}.`);
  const usable = <Value>(name: keyof Config, is: (value: unknown) => value is Value, remedy: string) => {
    const value = setting(name);
    if (value === undefined || is(value)) return value;
    refuse(name, remedy);
    return undefined;
  };
  if (given != null && given !== config) logger.warn("config is ignored: it has to be an object.");
  if (own !== undefined && !isLogger(own)) refuse("logger", "it has to have the methods warn and error");

  const map = setting("defaultFeatures");
  const defaults = readFeatures(map, (key) => refuse(`defaultFeatures["${key}"]`, "a variant has to be a string"));
  if (map !== undefined && !defaults) refuse("defaultFeatures", "it has to be an object of feature keys and variants");

  const offline = usable("offline", isFlag, "it has to be true or false") ?? false;
  const base = usable("baseUrl", isAddress, "it has to be an address, such as https://flags.example.com");
  if (base === undefined && !offline) {
    logger.error("There is no service to ask. Set config.baseUrl to its address, such as https://flags.example.com.");
  }
  return {
    streaming: usable("streaming", isFlag, "it has to be true or false") ?? true,
    pollInterval: usable("pollInterval", isInterval, `it has to be a number from ${LEAST_POLL_MS}`) ?? POLL_MS,
    offline,
    defaults: defaults ?? new Map(),
    baseUrl: base?.replace(/\/+$/, ""),
    file: usable("file", isName, "it has to be the name of a file"),
    logger,
  };
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isInterval(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= LEAST_POLL_MS;
}

function isAddress(value: unknown): value is string {
  try {
    return typeof value === "string" && /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
}

function isLogger(logger: unknown): logger is Logger {
  const { warn, error } = (logger ?? {}) as Partial<Logger>;
  return typeof warn === "function" && typeof error === "function";
}

/** A logger that cannot throw, and names who speaks. */
function safe(logger: Logger): Logger {
  const speak =
    (level: "warn" | "error") =>
    (message: string, ...details: unknown[]): void => {
      try {
        logger[level](`FlagService: ${message}`, ...details);
      } catch {
        // Nowhere is left to say it.
      }
    };
  return { warn: speak("warn"), error: speak("error") };
}
