// The page's files, and the stream of server-sent events that keeps an open page up to date.
import { readFile } from "node:fs/promises";
import { extname } from "node:path";

/** What the page gets at first; what is older stands in the API's list alone. */
const LATEST = 1000;
const BEAT_SECONDS = 20;
const RETRY_MS = 1000;
/** Who has so much unread is sent away; the browser comes back by itself and begins with a snapshot. */
const UNREAD_BYTES = 64 * 1024 * 1024;

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

/** The page, its parts, its stream; a plain 404 for anything else. */
export async function live(request, response, destination) {
  const { pathname } = new URL(request.url, "http://destination");
  if (request.method !== "GET" && request.method !== "HEAD")
    return plain(response, 405, "The page can only be read.\n");
  if (pathname === "/page/events") return stream(request, response, destination);
  const name = pathname === "/" ? "index.html" : /^\/page\/([a-z]+\.(?:css|js|svg))$/.exec(pathname)?.[1];
  const bytes = name && (await readFile(new URL(`page/${name}`, import.meta.url)).catch(() => undefined));
  if (!bytes) return plain(response, 404, "There is nothing here. The page is at /, the API at /api/3/annotations.\n");
  const type = `${TYPES[extname(name)]}; charset=utf-8`;
  response.writeHead(200, { ...HEADERS, "content-type": type, "content-length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function stream(request, response, { project, region }) {
  if (request.method === "HEAD") return plain(response, 405, "The stream can only be read.\n");
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream", "cache-control": "no-store" });
  const tell = (name, data) => {
    response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    if (response.writableLength > UNREAD_BYTES) response.destroy();
  };
  const snapshot = () => {
    const { annotations, categories } = project;
    tell("snapshot", { region, categories, total: annotations.length, annotations: annotations.slice(-LATEST) });
  };
  const events = {
    annotation: (annotation) => tell("annotation", annotation),
    category: (category) => tell("category", category),
    cleared: snapshot,
  };
  for (const [name, listener] of Object.entries(events)) project.on(name, listener);
  // Without a word now and then nobody would notice that the other side is gone.
  const beat = setInterval(() => response.write(":\n\n"), BEAT_SECONDS * 1000);
  response.on("close", () => {
    clearInterval(beat);
    for (const [name, listener] of Object.entries(events)) project.off(name, listener);
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  snapshot();
}

function plain(response, status, text) {
  response.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
  response.end(text);
}
