// The adapter's side of the REST contract for SDKs in JavaScript: an HTTP server over `create(options, emit)`.
import { once } from "node:events";
import { createServer } from "node:http";

// The SDK's clock may be replaced later; the adapter's stays.
const { setTimeout, clearTimeout } = globalThis;

/**
 * Serves SDKs, a map of path to `{ name, version, capabilities, create }`. `create(options, emit)` resolves with a client
 * `{ first?, run(command), close() }`. `files` has further responses: path → `{ type, text }`. Prints the address of each SDK.
 */
export async function serve(sdks, files = {}) {
  const adapters = new Map(Object.entries(sdks).map(([path, sdk]) => [path, new Adapter(sdk)]));
  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url, "http://adapter");
      const file = files[url.pathname];
      if (file) return response.writeHead(200, { "content-type": file.type }).end(file.text);
      const [, path, ...rest] = url.pathname.split("/");
      const answer = await adapters.get(path)?.respond(request, rest, url.searchParams);
      if (answer === undefined) return response.writeHead(404).end(`There is no ${url.pathname}.`);
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    } catch (error) {
      return response.writeHead(500).end(String(error.stack ?? error));
    }
  });
  // The harness may be busy for longer than a connection stays open by default, and would then write to one that is closing.
  server.keepAliveTimeout = 0;
  server.listen(Number(process.env.PORT ?? 0), "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${server.address().port}`;
  for (const path of adapters.keys()) process.stdout.write(`${path} ${base}/${path}\n`);
  process.stdout.write("ready\n");
  return base;
}

class Adapter {
  #sdk;
  #clients = new Map();
  #created = 0;

  constructor(sdk) {
    this.#sdk = sdk;
  }

  async respond(request, [collection, id, part], query) {
    const route = `${request.method} ${[collection, id && "one", part].filter(Boolean).join("/")}`;
    const client = this.#clients.get(id);
    if (id !== undefined && !client) return undefined;
    if (route === "GET ") {
      const { name, version, capabilities } = this.#sdk;
      return { name, version, capabilities };
    }
    if (route === "POST clients") return this.#create(await json(request));
    if (route === "POST clients/one") return (await client.run(await json(request))) ?? {};
    if (route === "GET clients/one/records") {
      return { records: await client.records.after(Number(query.get("after")), Number(query.get("waitMs"))) };
    }
    if (route === "DELETE clients/one") {
      this.#clients.delete(id);
      await client.close();
      return {};
    }
    return undefined;
  }

  async #create(options) {
    const id = String(++this.#created);
    const records = new Records();
    const client = await this.#sdk.create(options, (event, fields) => records.add({ event, ...fields }));
    this.#clients.set(id, { records, run: (command) => client.run(command), close: () => client.close() });
    return { id, ...(client.first && { first: client.first }) };
  }
}

/** What a client has emitted. */
class Records {
  #all = [];
  #waiting = new Set();

  add(record) {
    this.#all.push(record);
    for (const wake of [...this.#waiting]) wake();
  }

  /** The records after the first `count`; if there are none, waits for one. */
  async after(count, waitMs) {
    if (this.#all.length <= count && waitMs > 0) {
      await new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, waitMs);
        this.#waiting.add(wake);
      });
    }
    return this.#all.slice(count);
  }
}

async function json(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}
