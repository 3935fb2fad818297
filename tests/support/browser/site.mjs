// A static site on the loopback interface: the files of a folder, with the headers that a test sets.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

export class Site {
  /** Headers of every response. */
  headers = {};
  /** File extension → media type. */
  types = TYPES;
  #server = createServer((request, response) => this.#respond(request, response));
  #folder;

  static async start(folder) {
    const site = new Site();
    site.#folder = folder;
    site.#server.listen(0, "127.0.0.1");
    await once(site.#server, "listening");
    site.base = `http://127.0.0.1:${site.#server.address().port}`;
    return site;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #respond(request, response) {
    const { pathname } = new URL(request.url, this.base);
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const bytes = await readFile(join(this.#folder, name));
      response
        .writeHead(200, { "content-type": this.types[extname(name)] ?? "text/plain", ...this.headers })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }
}
