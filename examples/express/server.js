// A shop with Express. Features are evaluated in this process.
import express from "express";
import { flags, health } from "./flags.js";
import { page } from "./page.js";
import { visitor } from "./visitor.js";

const { PORT = "7324" } = process.env;
const SHUTDOWN_TIMEOUT_MS = 5_000;

const app = express();
app.disable("x-powered-by");
app.get("/health", health);
app.use(express.static("public"));
app.use(visitor);

app.get("/", (request, response) => {
  const { user, query } = request;
  const content = {
    onePage: flags.evaluate("new-checkout", user).isOn(),
    express: flags.evaluate("express-delivery", user).isOn(),
    color: flags.evaluate("banner-color", user).value(),
    country: user.attributes.country,
    bought: "bought" in query,
  };
  response.set("cache-control", "private, no-store").send(page(content));
});

app.post("/purchases", (request, response) => {
  flags.goal("purchase", request.user);
  response.redirect(303, `/?${new URLSearchParams({ ...request.user.attributes, bought: "yes" })}`);
});

// Wait for the first attempt to load the rules. With rules from the file it may fail.
await flags.ready();
const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`Ready: http://127.0.0.1:${server.address().port}/`);
});

/** Finishes open requests and sends queued goals. Then nothing keeps the process alive. */
function shutDown() {
  server.close(async () => {
    await flags.close();
    console.log("Closed.");
  });
  // Browsers keep idle connections open.
  setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS).unref();
}
process.once("SIGINT", shutDown).once("SIGTERM", shutDown);
