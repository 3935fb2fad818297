// Requests to copy: each operation of the REST API in curl and in JavaScript, with the examples of docs/openapi.json.

const JSON_TYPE = "application/json";

/** Keys of the demo, and the environments of a comparison. */
const KEYS = {
  projectKey: "shop",
  environmentKey: "production",
  featureKey: "new-checkout",
  audienceKey: "paying-customers",
  experimentKey: "banner-color",
  pipelineKey: "release",
  source: "staging",
  target: "production",
};

/** Ids are random: those of the examples of these schemas. */
const SCHEMAS_OF_IDS = {
  id: "OutboundIntegration",
  approvalId: "Approval",
  keyId: "SdkKey",
  tokenId: "AccessToken",
  userId: "User",
};

export class RequestExamples {
  constructor(schemas) {
    this.schemas = schemas;
  }

  /** The request in both languages. Address and token are in the environment, as docs/rest.md says. */
  of({ method, path, operation }) {
    const { parameters = [], requestBody, responses } = operation;
    const query = parameters.filter(({ in: place, required }) => place === "query" && required);
    const search = query.map(({ name }) => `${name}=${this.value(name)}`).join("&");
    const address = path.replace(/\{([^}]+)\}/g, (_, name) => this.value(name)) + (search && `?${search}`);
    const body = requestBody && this.schemas.example(requestBody.content[JSON_TYPE].schema);
    const successes = Object.values(responses).filter(({ $ref }) => !$ref);
    const hasResult = successes.every(({ content }) => content?.[JSON_TYPE]);
    const request = { method: method.toUpperCase(), address, body: body && JSON.stringify(body, null, 2) };
    return { curl: inCurl(request), javascript: inJavaScript(request, hasResult) };
  }

  value(name) {
    const value = KEYS[name] ?? this.schemas.named(SCHEMAS_OF_IDS[name]).example.id;
    return encodeURIComponent(value);
  }
}

function inCurl({ method, address, body }) {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$FLAGSERVICE_URL${address}"`,
    `-H "Authorization: Bearer $FLAGSERVICE_TOKEN"`,
    ...(body ? [`-H "Content-Type: ${JSON_TYPE}"`, `-d '${body.replaceAll("'", `'\\''`)}'`] : []),
  ];
  return lines.join(" \\\n  ");
}

function inJavaScript({ method, address, body }, hasResult) {
  const headers = [`Authorization: \`Bearer \${process.env.FLAGSERVICE_TOKEN}\``];
  if (body) headers.push(`"Content-Type": "${JSON_TYPE}"`);
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    `headers: { ${headers.join(", ")} }`,
    ...(body ? [`body: JSON.stringify(${literal(body)})`] : []),
  ];
  return [
    `const response = await fetch(\`\${process.env.FLAGSERVICE_URL}${address}\`, {`,
    ...options.map((option) => `  ${option.replaceAll("\n", "\n  ")},`),
    `});`,
    `if (!response.ok) throw new Error((await response.json()).detail);`,
    ...(hasResult ? [`console.log(await response.json());`] : []),
  ].join("\n");
}

/** JSON as it is usually written in JavaScript: names without quotes. */
function literal(json) {
  return json.replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}
