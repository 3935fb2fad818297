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

/** Reports a setting that is ignored. */
type Ignore = (name: string, remedy: string) => undefined;

/** Checks the config that was passed to `init`. */
export function checkedSettings(config: unknown): Settings {
  const given: Config = isMap(config) ? config : {};
  const get = (name: keyof Config): unknown => attempt(() => given[name]);
  const customLogger = get("logger");
  const usable = usableLogger(customLogger);
  const logger = safeLogger(usable ? (customLogger as Logger) : console);
  const ignore: Ignore = (name, remedy) => void logger.warn(`config.${name} is ignored: ${remedy}.`);
  const flag = (name: "streaming" | "useCookies" | "offline" | "insights", fallback: boolean): boolean => {
    const value = get(name) ?? fallback;
    return typeof value === "boolean" ? value : (ignore(name, "it must be true or false") ?? fallback);
  };
  const features = (name: "defaultFeatures" | "bootstrap"): Features | undefined => {
    const map = get(name);
    const read = readFeatures(map, (key) => ignore(`${name}["${key}"]`, "a variant must be a string"));
    if (map != null && !read) ignore(name, "it must be an object of feature keys and variants");
    return read;
  };
  /** A URL without a slash at its end. */
  const url = (name: "baseUrl" | "noWasmUrl"): string | undefined => {
    const value = get(name);
    if (value == null) return undefined;
    return (
      attempt(() => new URL(value as string, globalThis.location?.href).href.replace(/\/$/, "")) ??
      ignore(name, "it must be a URL such as https://flags.example.com")
    );
  };
  if (config != null && config !== given) logger.warn("config is ignored: it must be an object.");
  if (customLogger !== undefined && !usable) ignore("logger", "it must have the methods warn and error");

  const streaming = flag("streaming", true);
  const useCookies = flag("useCookies", true);
  const offline = flag("offline", false);
  const live = isPage && !offline;
  const defaults = features("defaultFeatures") ?? new Map();
  const bootstrap = features("bootstrap");
  const hasEventSource = typeof EventSource === "function";
  if (live && streaming && !hasEventSource) logger.warn("streaming needs EventSource: load a polyfill.");
  return {
    live,
    streaming: streaming && hasEventSource,
    insights: flag("insights", true),
    useCookies: live && useCookies,
    defaults,
    bootstrap: offline ? undefined : bootstrap,
    baseUrl: url("baseUrl") ?? globalThis.location?.origin ?? "",
    noWasmUrl: url("noWasmUrl"),
    integrations: usableIntegrations(get("integrations") ?? [], ignore),
    logger,
  };
}

function usableIntegrations(list: unknown, ignore: Ignore): readonly Integration[] {
  if (!Array.isArray(list)) return ignore("integrations", "it must be an array") ?? [];
  return (list as Integration[]).filter((integration, index) => {
    const usable = usableIntegration(integration);
    const name = `integrations[${index}]`;
    if (!usable) ignore(name, "create it with analyticsIntegration or exposureIntegration");
    else if (!usableFlags(integration.options.flags)) ignore(`${name}.flags`, "it must be an array or a function");
    return usable;
  });
}

function usableLogger(logger: unknown): boolean {
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
