// The account of a destination: its keys and region.

export const REGIONS = ["US", "EU"];

export class Account {
  #authorization;

  constructor({ apiKey, secretKey, region = "US" }) {
    if (!apiKey || !secretKey) throw new TypeError("A destination needs an API key and a secret key.");
    if (apiKey.includes(":"))
      throw new TypeError("An API key must not contain a colon, which separates the keys in Basic credentials.");
    if (!REGIONS.includes(region)) throw new TypeError(`Unknown region ${region}. Use ${REGIONS.join(" or ")}.`);
    this.region = region;
    this.#authorization = Buffer.from(`${apiKey}:${secretKey}`).toString("base64");
  }

  /** Whether an `Authorization` header holds exactly this account's keys. */
  owns(authorization = "") {
    const [scheme, credentials, ...rest] = authorization.split(" ");
    return scheme.toLowerCase() === "basic" && credentials === this.#authorization && rest.length === 0;
  }
}
