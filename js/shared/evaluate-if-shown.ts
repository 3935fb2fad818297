// What our OpenFeature provider uses of the Node SDK's client, besides the published methods.

/** The name of the method, which is the same in both packages. */
export const EVALUATE_IF_SHOWN: unique symbol = Symbol.for("flagservice.evaluateIfShown");

/** The type of the method. `User` is the user as the client accepts them. */
export interface EvaluatesIfShown<User> {
  /**
   * Evaluates a feature for a user, and returns the variant. If the application does not show that variant, nothing is reported of it:
   * no participation, no count and no EVALUATION event.
   */
  [EVALUATE_IF_SHOWN](key: string, user: User, isShown: (variant: string) => boolean): string;
}
