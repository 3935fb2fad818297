// The one account that a destination knows: its keys, its region, and whether a request comes from it.

export const REGIONS = ["US", "EU"];

export class Account {
  #authorization;

  constructor({ apiKey, secretKey, region = "US" }) {
    if (!apiKey || !secretKey) throw new TypeError("A destination wants an API key and a secret key.");
    if (apiKey.includes(":")) throw new TypeError("An API key holds no colon: it ends there in Basic credentials.");
    if (!REGIONS.includes(region))
      throw new TypeError(`Region ${region} is not known; there are ${REGIONS.join(", ")}.`);
    this.region = region;
    this.#authorization = Buffer.from(`${apiKey}:${secretKey}`).toString("base64");
  }

  /** Whether an `Authorization` header holds exactly this account's keys. */
  owns(authorization = "") {
    const [scheme, credentials, ...rest] = authorization.split(" ");
    return scheme.toLowerCase() === "basic" && credentials === this.#authorization && rest.length === 0;
  }
}
