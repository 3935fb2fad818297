// The destination on the command line.
import { parseArgs } from "node:util";
import { startDestination } from "./destination.mjs";

const HELP = `node examples/analytics-destination/server.mjs --api-key <key> --secret-key <key> [options]

A stand-in for the annotation API of an analytics service, with a page that shows what arrived.

--port <number>      the port; 0 is one that is free (default 8070)
--host <address>     the address to listen on (default 127.0.0.1)
--api-key <key>      the account's API key
--secret-key <key>   the account's secret key
--region US|EU       which region this process is (default US); keys of the other region's account get 401
--category <name>    a category that exists from the start; may be given several times
--data <file>        keeps each accepted annotation as a line of JSON, written to disk before the answer
--behave <JSON>      misbehaviour from the start, as POST /control takes it: '{"kind":"answer","status":503,"times":2}'
--help               this text

Both regions: start two, each with its own port and keys.
`;

const OPTIONS = {
  port: { type: "string", default: "8070" },
  host: { type: "string", default: "127.0.0.1" },
  "api-key": { type: "string" },
  "secret-key": { type: "string" },
  region: { type: "string", default: "US" },
  category: { type: "string", multiple: true, default: [] },
  data: { type: "string" },
  behave: { type: "string", default: "[]" },
  help: { type: "boolean", default: false },
};

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return void process.stdout.write(HELP);
  for (const name of ["api-key", "secret-key"]) {
    if (!values[name]) throw new Error(`--${name} is missing; --help explains.`);
  }
  if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port ${values.port} is not a port.`);
  const destination = await startDestination({
    apiKey: values["api-key"],
    secretKey: values["secret-key"],
    region: values.region,
    port: Number(values.port),
    host: values.host,
    categories: values.category,
    data: values.data,
    behaviour: orders(values.behave),
  });
  process.stdout.write(`Analytics destination, region ${destination.region}, at ${destination.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => destination.stop());
}

function orders(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--behave ${text} is not JSON.`);
  }
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
