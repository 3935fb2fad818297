// The server: knows the visitor, evaluates the features, renders the page with them, and hands them to the browser.
import { createServer } from "node:http";
import FlagService from "flagservice-node-sdk";
import { renderToPipeableStream } from "react-dom/server";
import { assets } from "./assets.js";
import { Page } from "./page.jsx";

const { FLAGSERVICE_URL, FLAGSERVICE_CLIENT_KEY, FLAGSERVICE_SERVER_KEY, PORT = "7323" } = process.env;
const RENDERED_WITHIN_MS = 10_000;
const EXPOSURE_BYTES = 1024;
const PATIENCE_MS = 5_000;

const flags = FlagService.init(FLAGSERVICE_SERVER_KEY, { baseUrl: FLAGSERVICE_URL });

const server = createServer((request, response) => {
  const route = `${request.method} ${request.url.split("?")[0]}`;
  const asset = assets.get(route);
  if (asset) response.writeHead(200, asset.headers).end(asset.bytes);
  else if (route === "GET /") sendPage(request, response);
  else if (route === "POST /exposures") takeExposure(request, response);
  else response.writeHead(404).end();
});

/** Who is asking: the cookie is the one that the browser client reads and writes. */
function visitor(request, response) {
  const known = FlagService.anonymousId(request);
  const id = known ?? FlagService.newAnonymousId();
  // On a site with HTTPS: { secure: true }.
  if (!known) response.setHeader("set-cookie", FlagService.anonymousCookie(id));
  return { id };
}

function sendPage(request, response) {
  const user = visitor(request, response);
  // What both sides render the page with. The client key is public; the server key stays here.
  const page = { apiKey: FLAGSERVICE_CLIENT_KEY, baseUrl: FLAGSERVICE_URL, user, bootstrap: flags.bootstrap(user) };
  const { pipe, abort } = renderToPipeableStream(<Page {...page} />, {
    // A script in a page must not be ended by a text in it.
    bootstrapScriptContent: `window.page = ${JSON.stringify(page).replaceAll("<", "\\u003c")};`,
    bootstrapModules: ["/assets/client.js"],
    onShellReady() {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "private, no-store" });
      pipe(response);
    },
    onShellError() {
      response.writeHead(500, { "content-type": "text/plain" }).end("The page could not be rendered.");
    },
    onError: (error) => console.error(error),
  });
  const late = setTimeout(() => abort(new Error("It took too long to render.")), RENDERED_WITHIN_MS);
  response.on("close", () => clearTimeout(late));
}

/** What the page's exposure integration sends. Here it goes to your analytics. */
async function takeExposure(request, response) {
  try {
    let text = "";
    for await (const chunk of request) {
      text += chunk;
      if (text.length > EXPOSURE_BYTES) return response.writeHead(413).end();
    }
    const { key, variant } = JSON.parse(text);
    const user_id = FlagService.anonymousId(request);
    console.log(JSON.stringify({ event: "$exposure", user_id, flag_key: key, variant }));
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}

// Without the service it goes on: every feature is off until the rules are there.
if (!(await flags.ready())) console.warn(`The rules could not be loaded from ${FLAGSERVICE_URL}.`);
server.listen(Number(PORT), "127.0.0.1", () => console.log(`Ready: http://127.0.0.1:${server.address().port}/`));

/** Requests under way are answered; a browser also keeps connections on which it asks nothing. */
function end() {
  server.close(() => flags.close());
  setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
}
process.once("SIGINT", end).once("SIGTERM", end);
