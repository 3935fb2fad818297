// The command line of the destination.
import { parseArgs } from "node:util";
import { startDestination } from "./destination.mjs";

const HELP = `node examples/analytics-destination/server.mjs --api-key <key> --secret-key <key> [options]

Simulates the annotation API of an analytics service, with a page that shows the annotations.

--port <number>      port to listen on; 0 for a free one (default 8070)
--host <address>     address to listen on (default 127.0.0.1)
--api-key <key>      API key of the account
--secret-key <key>   secret key of the account
--region US|EU       region of this process (default US); keys of the other region's account get 401
--category <name>    initial category; can be repeated
--data <file>        saves each accepted annotation as a line of JSON before the response is sent
--behave <JSON>      initial faults, as for POST /control: '{"kind":"answer","status":503,"times":2}'
--help               print this help

For both regions start two processes, each with its own port and keys.
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
    if (!values[name]) throw new Error(`--${name} is missing. See --help.`);
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
    behaviour: parseFaults(values.behave),
  });
  process.stdout.write(`Analytics destination, region ${destination.region}, at ${destination.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => destination.stop());
}

function parseFaults(text) {
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
