// Checks the page's settings. An invalid setting is reported and ignored; nothing throws.

import { attempt } from "../shared/attempt.js";
import { type Features, isMap, readFeatures } from "../shared/features.js";
import { isPage } from "./page.js";
import type { Config, Integration, Logger } from "./public.js";

/** The settings of a client. */
export interface Settings {
  /** Whether the client uses the service and local storage: it runs in a page and is not offline. */
  readonly live: boolean;
  readonly streaming: boolean;
  readonly insights: boolean;
  readonly useCookies: boolean;
  readonly defaults: Features;
  readonly bootstrap: Features | undefined;
  readonly baseUrl: string;
  readonly noWasmUrl: string | undefined;
  readonly integrations: readonly Integration[];
  readonly logger: Logger;
}

/** Reads one config. */
interface Reader {
  /** The value of a setting; `undefined` if it is not set or throws. */
  _get(name: keyof Config): unknown;
  /** Reports a setting that is ignored. */
  _ignore(name: string, remedy: string): undefined;
}

/** Checks the config that was passed to `init`. */
export function checkedSettings(config: unknown): Settings {
  const given: Config = isMap(config) ? config : {};
  const _get = (name: keyof Config): unknown => attempt(() => given[name]);
  const customLogger = _get("logger");
  const usable = usableLogger(customLogger);
  const logger = safeLogger(usable ? customLogger : console);
  const reader: Reader = {
    _get,
    _ignore: (name, remedy) => void logger.warn(`config.${name} is ignored: ${remedy}.`),
  };
  if (config != null && config !== given) logger.warn("config is ignored: it must be an object.");
  if (customLogger !== undefined && !usable) reader._ignore("logger", "it must have the methods warn and error");

  const streaming = flag(reader, "streaming", true);
  const useCookies = flag(reader, "useCookies", true);
  const offline = flag(reader, "offline", false);
  const live = isPage && !offline;
  const defaults = features(reader, "defaultFeatures") ?? new Map();
  const bootstrap = features(reader, "bootstrap");
  const hasEventSource = typeof EventSource === "function";
  const settings = {
    live,
    streaming: streaming && hasEventSource,
    insights: flag(reader, "insights", true),
    useCookies: live && useCookies,
    defaults,
    bootstrap: offline ? undefined : bootstrap,
    baseUrl: url(reader, "baseUrl") ?? globalThis.location?.origin ?? "",
    noWasmUrl: url(reader, "noWasmUrl"),
    integrations: integrations(reader),
    logger,
  };
  if (live && streaming && !hasEventSource) logger.warn("streaming needs EventSource: load a polyfill.");
  return settings;
}

function flag(reader: Reader, name: "streaming" | "useCookies" | "offline" | "insights", fallback: boolean): boolean {
  const value = reader._get(name) ?? fallback;
  if (typeof value === "boolean") return value;
  reader._ignore(name, "it must be true or false");
  return fallback;
}

function features(reader: Reader, name: "defaultFeatures" | "bootstrap"): Features | undefined {
  const map = reader._get(name);
  const read = readFeatures(map, (key) => reader._ignore(`${name}["${key}"]`, "a variant must be a string"));
  if (map != null && !read) reader._ignore(name, "it must be an object of feature keys and variants");
  return read;
}

/** A URL without a slash at its end. */
function url(reader: Reader, name: "baseUrl" | "noWasmUrl"): string | undefined {
  const value = reader._get(name);
  if (value == null) return undefined;
  return (
    attempt(() => new URL(value as string, globalThis.location?.href).href.replace(/\/$/, "")) ??
    reader._ignore(name, "it must be a URL such as https://flags.example.com")
  );
}

function integrations(reader: Reader): readonly Integration[] {
  const list = reader._get("integrations") ?? [];
  if (!Array.isArray(list)) return reader._ignore("integrations", "it must be an array") ?? [];
  return list.filter((integration, index) => {
    const usable = usableIntegration(integration);
    const name = `integrations[${index}]`;
    if (!usable) reader._ignore(name, "create it with analyticsIntegration or exposureIntegration");
    else if (!usableFlags(integration.options.flags))
      reader._ignore(`${name}.flags`, "it must be an array or a function");
    return usable;
  });
}

function usableLogger(logger: unknown): logger is Logger {
  const { warn, error } = (logger ?? {}) as Partial<Logger>;
  return typeof warn === "function" && typeof error === "function";
}

function usableIntegration(integration: unknown): integration is Integration {
  const { name, source, options } = (integration ?? {}) as Partial<Integration>;
  if (!isMap(options)) return false;
  if (name === "exposureIntegration") return typeof source === "function";
  // An object or a function: nothing else is what `Object` makes of it.
  return name === "analyticsIntegration" && Object(source) === source;
}

function usableFlags(flags: unknown): boolean {
  return flags === undefined || typeof flags === "function" || Array.isArray(flags);
}

/** A logger that never throws and adds a prefix. */
function safeLogger(logger: Logger): Logger {
  const log =
    (level: "warn" | "error") =>
    (message: string, ...details: unknown[]): void => {
      attempt(
        () => logger[level](`FlagService: ${message}`, ...details),
        // There is no other place to log it.
        () => {},
      );
    };
  return { warn: log("warn"), error: log("error") };
}
