// A variant as a value of the type that the application asks for.

import { ErrorCode, type FlagValue, type ResolutionDetails, StandardResolutionReasons } from "@openfeature/core";

/** A type that an application can ask for. */
export type Type = "boolean" | "string" | "number" | "object";

/**
 * The resolution of a feature: every variant is a string, and `on` and `off` are booleans too.
 *
 * @param variant The variant that the user has; `undefined` where nobody knows the feature.
 */
export function resolution<T extends FlagValue>(
  key: string,
  variant: string | undefined,
  type: Type,
  fallback: T,
): ResolutionDetails<T> {
  if (variant === undefined) {
    return failed(fallback, ErrorCode.FLAG_NOT_FOUND, `There is no feature "${key}" in this environment.`);
  }
  const value = type === "string" ? variant : type === "boolean" ? asBoolean(variant) : undefined;
  if (value === undefined) {
    const details = `The variant "${variant}" of "${key}" is no ${type}: variants are strings, and on and off booleans too.`;
    return failed(fallback, ErrorCode.TYPE_MISMATCH, details);
  }
  return { value: value as T, variant, reason: StandardResolutionReasons.UNKNOWN };
}

function asBoolean(variant: string): boolean | undefined {
  return variant === "on" || (variant === "off" ? false : undefined);
}

function failed<T>(value: T, errorCode: ErrorCode, errorMessage: string): ResolutionDetails<T> {
  return { value, reason: StandardResolutionReasons.ERROR, errorCode, errorMessage };
}
