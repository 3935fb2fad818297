// Middleware that sets `request.user`, the user for Flag Service.
import FlagService from "flagservice-node-sdk";

const COUNTRY = /^[A-Z]{2}$/;

export function visitor(request, response, next) {
  // For people who are signed in, use their account instead: { id: account.id, attributes: { … } }.
  let id = FlagService.anonymousId(request);
  if (id === undefined) {
    id = FlagService.newAnonymousId();
    // If the site uses HTTPS, pass { secure: true }. The browser client reads the same cookie.
    response.append("set-cookie", FlagService.anonymousCookie(id));
  }
  const { country } = request.query;
  const isCountry = typeof country === "string" && COUNTRY.test(country);
  request.user = { id, attributes: isCountry ? { country } : {} };
  next();
}
