// Code that uses a feature: on a page, in React, in Node.js and with curl. The calls are those of docs/guide.
import type { components } from "../../api/schema.js";

export type ConnectedFeature = Pick<components["schemas"]["Feature"], "key" | "type">;
export type Target = "page" | "react" | "node" | "curl";

interface Values {
  feature: ConnectedFeature;
  /** A client key, or a placeholder. */
  clientKey: string;
  /** The address of the service. */
  baseUrl: string;
  /** The name of the environment. */
  environment: string;
}

export function snippet(target: Target, values: Values): string {
  switch (target) {
    case "page":
      return page(values);
    case "react":
      return react(values);
    case "node":
      return node(values);
    case "curl":
      return curl(values);
  }
}

function page({ feature: { key, type }, clientKey, baseUrl }: Values): string {
  const name = JSON.stringify(key);
  const use =
    type === "boolean"
      ? `classList.toggle(${name}, flags.evaluate(${name}).isOn())`
      : `dataset.variant = flags.evaluate(${name}).value()`;
  return `<!-- Serve flagservice.min.js and no-wasm-core.mjs side by side. Both are in dist/ of flagservice-client. -->
<script src="flagservice.min.js"></script>
<script>
  const flags = FlagService.init("${clientKey}", { id: "ada" }, { baseUrl: "${baseUrl}" });
  const show = () => {
    document.documentElement.${use};
  };
  flags.on(FlagService.events.INIT, show);
  flags.on(FlagService.events.UPDATED_FEATURE, show);
  show();
</script>`;
}

function react({ feature: { key, type }, clientKey, baseUrl }: Values): string {
  const name = JSON.stringify(key);
  const [hook, body] =
    type === "boolean"
      ? ["useIsOn", `  return useIsOn(${name}) ? <p>It is on.</p> : <p>It is off.</p>;`]
      : ["useFeature", `  return <p>{useFeature(${name}).value()}</p>;`];
  return `${importLine("{ createRoot }", "react-dom/client")}
${importLine(`{ FlagServiceProvider, ${hook} }`, "react-flagservice-client")}

function Example() {
${body}
}

createRoot(document.body).render(
  <FlagServiceProvider apiKey="${clientKey}" user={{ id: "ada" }} config={{ baseUrl: "${baseUrl}" }}>
    <Example />
  </FlagServiceProvider>,
);`;
}

function node({ feature: { key, type }, baseUrl, environment }: Values): string {
  const use = type === "boolean" ? "isOn()" : "value()";
  return `${importLine("FlagService", "flagservice-node-sdk")}

// FLAGSERVICE_KEY is a server key of ${environment.replace(/\s+/g, " ")}. It is secret: keep it out of the code.
const flags = FlagService.init(process.env.FLAGSERVICE_KEY, { baseUrl: "${baseUrl}" });
await flags.ready();

console.log(flags.evaluate(${JSON.stringify(key)}, { id: "ada" }).${use});
await flags.close();`;
}

/** In parts, because nothing here imports it: the check of dependencies reads whole imports. */
function importLine(names: string, from: string): string {
  return ["import", names, "from", `${JSON.stringify(from)};`].join(" ");
}

function curl({ feature: { key }, clientKey, baseUrl }: Values): string {
  return `curl ${baseUrl}/ofrep/v1/evaluate/flags/${encodeURIComponent(key)} \\
  -H "Authorization: Bearer ${clientKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"context": {"targetingKey": "ada"}}'`;
}
