// Middleware that knows who is asking: `request.user`, as Flag Service takes it.
import FlagService from "flagservice-node-sdk";

const COUNTRY = /^[A-Z]{2}$/;

export function visitor(request, response, next) {
  // Where people sign in, the id and the attributes of the one who has come first: { id: account.id, attributes: { … } }.
  let id = FlagService.anonymousId(request);
  if (id === undefined) {
    id = FlagService.newAnonymousId();
    // On a site with HTTPS: { secure: true }. The browser client reads the same cookie.
    response.append("set-cookie", FlagService.anonymousCookie(id));
  }
  const { country } = request.query;
  const chosen = typeof country === "string" && COUNTRY.test(country);
  request.user = { id, attributes: chosen ? { country } : {} };
  next();
}
