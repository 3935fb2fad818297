// Serves the page's files, and the stream of server-sent events that updates an open page.
import { readFile } from "node:fs/promises";
import { extname } from "node:path";

/** How many annotations a snapshot contains. Only the API lists older ones. */
const SNAPSHOT_LENGTH = 1000;
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 1000;
/** Slow readers are disconnected at this limit. The browser reconnects and gets a snapshot. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };
const HEADERS = {
  "content-security-policy": [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** Serves the page, its files and its stream, and 404 for any other path. */
export async function servePage(request, response, destination) {
  const { pathname } = new URL(request.url, "http://destination");
  if (request.method !== "GET" && request.method !== "HEAD")
    return plainText(response, 405, "The page supports only GET and HEAD.\n");
  if (pathname === "/page/events") return stream(request, response, destination);
  const name = pathname === "/" ? "index.html" : /^\/page\/([a-z]+\.(?:css|js|svg))$/.exec(pathname)?.[1];
  const bytes = name && (await readFile(new URL(`page/${name}`, import.meta.url)).catch(() => undefined));
  if (!bytes) return plainText(response, 404, "Not found. The page is at /, the API at /api/3/annotations.\n");
  const type = `${TYPES[extname(name)]}; charset=utf-8`;
  response.writeHead(200, { ...HEADERS, "content-type": type, "content-length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function stream(request, response, { project, region }) {
  if (request.method === "HEAD") return plainText(response, 405, "The stream supports only GET.\n");
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream", "cache-control": "no-store" });
  const sendEvent = (name, data) => {
    response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  };
  const snapshot = () => {
    const { annotations, categories } = project;
    const latest = annotations.slice(-SNAPSHOT_LENGTH);
    sendEvent("snapshot", { region, categories, total: annotations.length, annotations: latest });
  };
  const events = {
    annotation: (annotation) => sendEvent("annotation", annotation),
    category: (category) => sendEvent("category", category),
    cleared: snapshot,
  };
  for (const [name, listener] of Object.entries(events)) project.on(name, listener);
  // Without heartbeats neither side notices that the other one is gone.
  const heartbeat = setInterval(() => response.write(":\n\n"), HEARTBEAT_MS);
  response.on("close", () => {
    clearInterval(heartbeat);
    for (const [name, listener] of Object.entries(events)) project.off(name, listener);
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  snapshot();
}

function plainText(response, status, text) {
  response.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
  response.end(text);
}
