// Why a feature is stale, and what to do about it.

/** As the server says it. */
export interface Stale {
  reason: "notEvaluated" | "sameVariant";
  /** The variant that everybody has been getting. */
  variantKey?: string | null;
}

export function StaleAdvice({ stale: { reason, variantKey } }: { stale: Stale }) {
  if (reason === "notEvaluated") return "Not evaluated for 30 days: remove it from the code, then archive it.";
  const variant = <code>{variantKey}</code>;
  return (
    <>
      Everybody has been getting {variant} for 30 days: keep {variant} in the code, then archive the feature.
    </>
  );
}
