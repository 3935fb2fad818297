// Converts a variant to a value of the requested type.

import { ErrorCode, type FlagValue, type ResolutionDetails, StandardResolutionReasons } from "@openfeature/core";

/** A type of values in OpenFeature. */
export type Type = "boolean" | "string" | "number" | "object";

/**
 * The resolution of a feature. Every variant is a string; `on` and `off` are also booleans.
 *
 * @param variant The user's variant; `undefined` if the feature is unknown.
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
  const value = toValue(variant, type);
  if (value === undefined) {
    const details = `Variant "${variant}" of "${key}" has no ${type} value. Variants are strings; on and off are also booleans.`;
    return failed(fallback, ErrorCode.TYPE_MISMATCH, details);
  }
  return { value: value as T, variant, reason: StandardResolutionReasons.UNKNOWN };
}

/** The resolution while it is unknown which features there are: the application need not look for a misspelt key. */
export function notReady<T extends FlagValue>(fallback: T, reason: string): ResolutionDetails<T> {
  return failed(fallback, ErrorCode.PROVIDER_NOT_READY, reason);
}

/** Whether a variant has a value of this type. If not, the application gets its default. */
export function hasValue(variant: string, type: Type): boolean {
  return toValue(variant, type) !== undefined;
}

function toValue(variant: string, type: Type): string | boolean | undefined {
  if (type === "string") return variant;
  return type === "boolean" ? asBoolean(variant) : undefined;
}

function asBoolean(variant: string): boolean | undefined {
  return variant === "on" || (variant === "off" ? false : undefined);
}

function failed<T>(value: T, errorCode: ErrorCode, errorMessage: string): ResolutionDetails<T> {
  return { value, reason: StandardResolutionReasons.ERROR, errorCode, errorMessage };
}
