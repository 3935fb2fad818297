// Checks the application's settings. Invalid ones are reported and ignored; nothing throws.

import { attempt } from "../shared/attempt.js";
import { type Features, isMap, readFeatures } from "../shared/features.js";
import type { Config, Logger } from "./public.js";

const DEFAULT_POLL_MS = 30_000;
const MIN_POLL_MS = 1_000;
const BASE_URL_REMEDY =
  "it must be a URL without blanks, user name, query and fragment, such as https://flags.example.com";
/** A timer fires at once after a longer delay. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The settings of a client. */
export interface Settings {
  readonly streaming: boolean;
  readonly pollIntervalMs: number;
  readonly offline: boolean;
  readonly insights: boolean;
  readonly defaults: Features;
  /** Undefined if no service is configured. */
  readonly baseUrl: string | undefined;
  readonly file: string | undefined;
  readonly logger: Logger;
}

/** Reads the settings that `init` received. */
export function readSettings(given: unknown): Settings {
  const config: Config = attempt(() => isMap(given)) ? (given as Config) : {};
  const setting = (name: keyof Config): unknown => attempt(() => config[name]) ?? undefined;
  const givenLogger = setting("logger");
  const usable = attempt(() => isLogger(givenLogger));
  const logger = safeLogger(usable ? (givenLogger as Logger) : console);
  const ignore = (name: string, remedy: string): void => logger.warn(`config.${name} is ignored: ${remedy}.`);
  const checked = <Value>(name: keyof Config, isValid: (value: unknown) => value is Value, remedy: string) => {
    const value = setting(name);
    if (value === undefined || isValid(value)) return value;
    ignore(name, remedy);
    return undefined;
  };
  if (given != null && given !== config) logger.warn("config is ignored: it must be an object.");
  if (givenLogger !== undefined && !usable) ignore("logger", "it must have the methods warn and error");

  const map = setting("defaultFeatures");
  const defaults = readFeatures(map, (key) => ignore(`defaultFeatures["${key}"]`, "a variant must be a string"));
  if (map !== undefined && !defaults) ignore("defaultFeatures", "it must be an object of feature keys and variants");

  const offline = checked("offline", isBoolean, "it must be true or false") ?? false;
  const base = checked("baseUrl", isBaseUrl, BASE_URL_REMEDY);
  if (base === undefined && !offline) {
    logger.error("No service is configured. Set config.baseUrl to its URL, such as https://flags.example.com.");
  }
  const interval = checked(
    "pollInterval",
    isPollInterval,
    `it must be a number from ${MIN_POLL_MS} to ${MAX_TIMER_MS}`,
  );
  return {
    streaming: checked("streaming", isBoolean, "it must be true or false") ?? true,
    pollIntervalMs: interval ?? DEFAULT_POLL_MS,
    offline,
    insights: checked("insights", isBoolean, "it must be true or false") ?? true,
    defaults: defaults ?? new Map(),
    baseUrl: base?.replace(/\/+$/, ""),
    file: checked("file", isFileName, "it must be the name of a file"),
    logger,
  };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isFileName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isPollInterval(value: unknown): value is number {
  return typeof value === "number" && value >= MIN_POLL_MS && value <= MAX_TIMER_MS;
}

/** Whether paths can be added to it. `fetch` refuses URLs with credentials, and has them in its error. */
function isBaseUrl(value: unknown): value is string {
  if (typeof value !== "string" || /[\s\p{Cc}?#]/u.test(value)) return false;
  try {
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && !username && !password;
  } catch {
    return false;
  }
}

function isLogger(logger: unknown): boolean {
  const { warn, error } = (logger ?? {}) as Partial<Logger>;
  return typeof warn === "function" && typeof error === "function";
}

/** A logger that never throws and prefixes its messages with the product's name. */
function safeLogger(logger: Logger): Logger {
  const log =
    (level: "warn" | "error") =>
    (message: string, ...details: unknown[]): void => {
      attempt(
        () => logger[level](`FlagService: ${message}`, ...details),
        // There is nowhere left to report it.
        () => {},
      );
    };
  return { warn: log("warn"), error: log("error") };
}
