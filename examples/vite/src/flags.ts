import FlagService from "flagservice-client";

/** The features of this page. A mistyped key does not compile. */
type Feature = "banner-color" | "free-shipping-banner" | "new-checkout";

const { FLAGSERVICE_CLIENT_KEY, FLAGSERVICE_URL } = import.meta.env;

/** Answers at once from this browser's cache; the service's values follow. */
export const flags = FlagService.init<Feature>(
  FLAGSERVICE_CLIENT_KEY,
  { id: "ada", attributes: { country: "SE", plan: "pro" } },
  { baseUrl: FLAGSERVICE_URL },
);
