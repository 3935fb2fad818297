// The page's settings, checked: what cannot be used is reported and left out, and never throws.

import { type Features, readFeatures } from "../shared/features.js";
import type { Config, Integration, Logger } from "./public.js";

/** What a client works with. */
export interface Settings {
  readonly streaming: boolean;
  readonly useCookies: boolean;
  readonly offline: boolean;
  readonly defaults: Features;
  readonly bootstrap: Features | undefined;
  readonly baseUrl: string;
  readonly integrations: readonly Integration[];
  readonly logger: Logger;
}

/** Reads the settings that were given to `init`. */
export function checked(given: unknown): Settings {
  const config: Config = typeof given === "object" && given && !Array.isArray(given) ? given : {};
  const setting = (name: keyof Config): unknown => {
    try {
      return config[name];
    } catch {
      return undefined;
    }
  };
  const own = setting("logger");
  const logger = safe(usableLogger(own) ? own : console);
  const refuse = (name: string, remedy: string): void => logger.warn(`config.${name} is ignored: ${remedy}.`);
  if (given != null && given !== config) logger.warn("config is ignored: it has to be an object.");

  const flag = (name: "streaming" | "useCookies" | "offline", otherwise: boolean): boolean => {
    const value = setting(name) ?? otherwise;
    if (typeof value === "boolean") return value;
    refuse(name, "it has to be true or false");
    return otherwise;
  };
  const features = (name: "defaultFeatures" | "bootstrap"): Features | undefined => {
    const map = setting(name) ?? undefined;
    const read = readFeatures(map, (key) => refuse(`${name}["${key}"]`, "a variant has to be a string"));
    if (map !== undefined && !read) refuse(name, "it has to be an object of feature keys and variants");
    return read;
  };
  const baseUrl = (): string => {
    const page = globalThis.location?.origin;
    const value = setting("baseUrl") ?? undefined;
    if (value === undefined) return page ?? "";
    try {
      return new URL(value as string, page).href.replace(/\/$/, "");
    } catch {
      refuse("baseUrl", "it has to be an address, such as https://flags.example.com");
      return page ?? "";
    }
  };
  const integrations = (): readonly Integration[] => {
    const list = setting("integrations") ?? [];
    if (!Array.isArray(list)) {
      refuse("integrations", "it has to be an array");
      return [];
    }
    return list.filter((integration, place) => {
      const usable = usableIntegration(integration);
      if (!usable) refuse(`integrations[${place}]`, "make it with analyticsIntegration or exposureIntegration");
      else if (!usableFlags(integration.flags)) refuse(`integrations[${place}].flags`, "give an array or a function");
      return usable;
    });
  };
  if (own !== undefined && !usableLogger(own)) refuse("logger", "it has to have the methods warn and error");
  return {
    streaming: flag("streaming", true),
    useCookies: flag("useCookies", true),
    offline: flag("offline", false),
    defaults: features("defaultFeatures") ?? new Map(),
    bootstrap: features("bootstrap"),
    baseUrl: baseUrl(),
    integrations: integrations(),
    logger,
  };
}

function usableLogger(logger: unknown): logger is Logger {
  const { warn, error } = (logger ?? {}) as Partial<Logger>;
  return typeof warn === "function" && typeof error === "function";
}

function usableIntegration(integration: unknown): integration is Integration {
  const { source, expose } = (integration ?? {}) as Partial<Integration>;
  return typeof expose === "function" && (typeof source === "function" || (typeof source === "object" && !!source));
}

function usableFlags(flags: unknown): boolean {
  return flags === undefined || typeof flags === "function" || Array.isArray(flags);
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
