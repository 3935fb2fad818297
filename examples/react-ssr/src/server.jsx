// The server: identifies the visitor, evaluates the features, renders the page with them, and passes them to the browser.
import { createServer } from "node:http";
import FlagService from "flagservice-node-sdk";
import { renderToPipeableStream } from "react-dom/server";
import { assets } from "./assets.js";
import { Page } from "./page.jsx";

const { FLAGSERVICE_URL, FLAGSERVICE_CLIENT_KEY, FLAGSERVICE_SERVER_KEY, PORT = "7323" } = process.env;
const RENDER_TIMEOUT_MS = 10_000;
const MAX_EXPOSURE_BYTES = 1024;
const SHUTDOWN_TIMEOUT_MS = 5_000;

const flags = FlagService.init(FLAGSERVICE_SERVER_KEY, { baseUrl: FLAGSERVICE_URL });

const server = createServer((request, response) => {
  const route = `${request.method} ${request.url.split("?")[0]}`;
  const asset = assets.get(route);
  if (asset) response.writeHead(200, asset.headers).end(asset.bytes);
  else if (route === "GET /") sendPage(request, response);
  else if (route === "POST /exposures") receiveExposure(request, response);
  else response.writeHead(404).end();
});

/** The visitor, from the cookie that the browser client reads and writes. */
function visitor(request, response) {
  const known = FlagService.anonymousId(request);
  const id = known ?? FlagService.newAnonymousId();
  // On a site with HTTPS: { secure: true }.
  if (!known) response.setHeader("set-cookie", FlagService.anonymousCookie(id));
  return { id };
}

function sendPage(request, response) {
  const user = visitor(request, response);
  // The props for both sides. The client key is public; the server key stays here.
  const page = { apiKey: FLAGSERVICE_CLIENT_KEY, baseUrl: FLAGSERVICE_URL, user, bootstrap: flags.bootstrap(user) };
  const { pipe, abort } = renderToPipeableStream(<Page {...page} />, {
    // Escapes "<", so that no value can end the script.
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
  const timeout = setTimeout(() => abort(new Error("Rendering took too long.")), RENDER_TIMEOUT_MS);
  response.on("close", () => clearTimeout(timeout));
}

/** Receives the exposures of the page. Send them to your analytics here. */
async function receiveExposure(request, response) {
  try {
    let text = "";
    for await (const chunk of request) {
      text += chunk;
      if (text.length > MAX_EXPOSURE_BYTES) return response.writeHead(413).end();
    }
    const { key, variant } = JSON.parse(text);
    const user_id = FlagService.anonymousId(request);
    console.log(JSON.stringify({ event: "$exposure", user_id, flag_key: key, variant }));
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}

// The server also starts without the service: every feature is off until the rules are loaded.
if (!(await flags.ready())) console.warn(`The rules could not be loaded from ${FLAGSERVICE_URL}.`);
server.listen(Number(PORT), "127.0.0.1", () => console.log(`Ready: http://127.0.0.1:${server.address().port}/`));

/** Finishes the requests in flight, then closes the connections that browsers keep open. */
function shutDown() {
  server.close(() => flags.close());
  setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS).unref();
}
process.once("SIGINT", shutDown).once("SIGTERM", shutDown);
