// What our OpenFeature provider uses of the Node SDK's client, besides the published methods.

/** The type of the method. `User` is the user as the client accepts them. */
export interface EvaluatesIfShown<User> {
  /**
   * Evaluates a feature for a user, and returns the variant. If the application does not show that variant, nothing is reported of it:
   * no participation, no count and no EVALUATION event.
   */
  evaluateIfShown(key: string, user: User, isShown: (variant: string) => boolean): string;
}
