// A shop with Express, whose features are evaluated in this process.
import express from "express";
import { flags, health } from "./flags.js";
import { page } from "./page.js";
import { visitor } from "./visitor.js";

const { PORT = "7324" } = process.env;
const PATIENCE_MS = 5_000;

const app = express();
app.disable("x-powered-by");
app.get("/health", health);
app.use(express.static("public"));
app.use(visitor);

app.get("/", (request, response) => {
  const { user, query } = request;
  const shown = {
    onePage: flags.evaluate("new-checkout", user).isOn(),
    express: flags.evaluate("express-delivery", user).isOn(),
    color: flags.evaluate("banner-color", user).value(),
    country: user.attributes.country,
    bought: "bought" in query,
  };
  response.set("cache-control", "private, no-store").send(page(shown));
});

app.post("/purchases", (request, response) => {
  flags.goal("purchase", request.user);
  response.redirect(303, `/?${new URLSearchParams({ ...request.user.attributes, bought: "yes" })}`);
});

// Until the first attempt to load has ended: with rules from the file, the service may be away.
await flags.ready();
const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`Ready: http://127.0.0.1:${server.address().port}/`);
});

/** Requests under way are answered, goals that wait are sent, and then nothing keeps the process alive. */
function end() {
  server.close(async () => {
    await flags.close();
    console.log("Closed.");
  });
  // A browser keeps connections on which it asks nothing.
  setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
}
process.once("SIGINT", end).once("SIGTERM", end);
