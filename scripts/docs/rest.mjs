// The REST API reference, generated from docs/openapi.json: an overview, which starts with docs/rest.md, a page for each resource,
// and the schemas.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { codeBlock, escaped } from "./code.mjs";
import { anchor, renderComment, renderLine, renderPage } from "./markdown.mjs";
import { RequestExamples } from "./rest-examples.mjs";
import { SCHEMAS_URL, Schemas } from "./schemas.mjs";
import { tabs } from "./tabs.mjs";

const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";

/** Least role → who may call the operation. */
const PERMISSIONS = {
  readOnly: "Everyone with a personal access token.",
  editor: "Editors, production editors and administrators. Changes to production require the production editor role.",
  productionEditor: "Production editors and administrators.",
  administrator: "Administrators.",
};

const INDEX = "/docs/rest/";

/** The part that is written by hand. */
export const REST_TEXT = "docs/rest.md";

/** The pages of the reference: `{ address, title, page() }`. `resolve` resolves the links of docs/rest.md. */
export function restPages(resolve) {
  const document = JSON.parse(readFileSync(join(root, "docs", "openapi.json"), "utf8"));
  const reference = new Reference(document);
  return [
    { address: INDEX, title: "Using the REST API", page: () => reference.index(resolve) },
    ...reference.groups.map(({ address, name, operations }) => ({
      address,
      title: name,
      page: () => reference.group(name, operations),
    })),
    { address: SCHEMAS_URL, title: "Schemas", page: () => reference.schemasPage() },
  ];
}

class Reference {
  constructor(document) {
    this.document = document;
    this.schemas = new Schemas(document.components.schemas);
    this.examples = new RequestExamples(this.schemas);
    this.groups = groupsOf(document);
  }

  index(resolve) {
    const text = readFileSync(join(root, REST_TEXT), "utf8");
    const { title, lead, html, headings } = renderPage(text, { name: REST_TEXT, resolve });
    const lists = this.groups.map(({ address, name, operations }) => {
      const items = operations.map(({ id, method, path, operation }) => {
        const link = `<a href="${address}#${id}"><code>${pathHtml(path)}</code></a>`;
        return `<li>${methodMark(method)} <span>${link} ${renderLine(operation.summary)}</span></li>`;
      });
      return `${heading(3, `all-${slug(name)}`, name)}<ul class="operations">${items.join("")}</ul>\n`;
    });
    const problems = Object.entries(this.document.components.responses)
      .map(([name, response]) => ({ name, ...response, example: response.content["application/problem+json"].example }))
      .sort((a, b) => a.example.status - b.example.status)
      .map((problem) => this.problem(problem));
    const operations = { level: 2, id: "all-operations", title: "All operations" };
    return {
      title,
      lead,
      html: [html, ...problems, heading(2, operations.id, operations.title), ...lists].join(""),
      headings: [
        ...headings,
        operations,
        ...this.groups.map(({ name }) => ({ level: 3, id: `all-${slug(name)}`, title: name })),
      ],
    };
  }

  problem({ name, description, example }) {
    const head = `<h3>${example.status} ${escaped(example.title)} ${anchor(name, name)}</h3>`;
    const text = `<p>${renderLine(description)}</p>${json(example)}`;
    return `<section class="problem" id="${name}">${head}${text}</section>\n`;
  }

  group(name, operations) {
    return {
      title: name,
      lead: `${operations.length} operations of the REST API.`.replace(/^1 operations/, "1 operation"),
      html: operations.map((operation) => this.operation(operation)).join(""),
      headings: operations.map(({ id, operation, method }) => ({
        level: 2,
        id,
        title: operation.summary.replace(/\.(\s[\s\S]*)?$/, ""),
        mark: method.toUpperCase(),
      })),
    };
  }

  operation({ id, method, path, operation }) {
    const [summary, ...more] = operation.summary.split(/(?<=\.)\s+/);
    const description = [...more, operation.description ?? ""].join(" ").trim();
    return [
      `<section class="operation">\n`,
      heading(2, id, summary.replace(/\.$/, "")),
      `<p class="request">${methodMark(method)} <code>${pathHtml(path)}</code></p>\n`,
      description && renderComment(description),
      this.permissions(operation),
      this.example({ id, method, path, operation }),
      this.parameters(operation, id),
      this.body(operation, id),
      this.responses(operation, id),
      `</section>\n`,
    ].join("");
  }

  permissions({ security }) {
    const [role] = security?.[0]?.personalAccessToken ?? [];
    if (!PERMISSIONS[role])
      throw new Error("An operation of docs/openapi.json has no role in its security requirement.");
    return `<p class="permissions"><span class="kind">Permissions</span> ${PERMISSIONS[role]}</p>\n`;
  }

  /** Closed at first, so that a page stays an overview. */
  example({ id, ...request }) {
    const { curl, javascript } = this.examples.of(request);
    const variants = [
      { name: "curl", html: codeBlock(curl, "sh") },
      { name: "JavaScript", html: codeBlock(javascript, "js") },
    ];
    const group = tabs("request", `${id}-example`, variants);
    return `<details class="example"><summary>Example request</summary>${group}</details>\n`;
  }

  parameters({ parameters = [] }, id) {
    if (parameters.length === 0) return "";
    const places = { path: "path", query: "query", header: "header" };
    const items = parameters.map(({ name, schema, description, required, in: place }) => {
      const optional = required ? "" : ` <span class="optional">optional</span>`;
      const about = this.schemas.about({ ...schema, ...(description && { description }) });
      const type = `<span class="type">${this.schemas.words(schema)}, ${places[place]}</span>`;
      return `<dt><code>${escaped(name)}</code> ${type}${optional}</dt><dd>${about}</dd>`;
    });
    return `${heading(3, `${id}-parameters`, "Parameters")}<dl class="properties">${items.join("")}</dl>\n`;
  }

  body({ requestBody }, id) {
    if (!requestBody) return "";
    const { schema } = requestBody.content[JSON_TYPE];
    const optional = requestBody.required ? "" : `, <span class="optional">optional</span>`;
    return [
      heading(3, `${id}-body`, "Request body"),
      `<p>${this.schemas.words(schema)}${optional}</p>\n`,
      this.schemas.list(schema),
      json(this.schemas.example(schema)),
    ].join("");
  }

  responses({ responses }, id) {
    const successes = Object.entries(responses).filter(([, response]) => !response.$ref);
    const problems = Object.entries(responses).filter(([, response]) => response.$ref);
    const links = problems.map(([status, { $ref }]) => {
      const name = $ref.split("/").at(-1);
      return `<li><a href="${INDEX}#${name}">${status} ${escaped(words(name))}</a></li>`;
    });
    return [
      heading(3, `${id}-response`, "Response"),
      ...successes.map(([status, response]) => this.response(status, response)),
      `<p>Errors:</p>\n<ul class="names">${links.join("")}</ul>\n`,
    ].join("");
  }

  response(status, { content, description, headers = {} }) {
    const schema = content?.[JSON_TYPE]?.schema;
    const type = schema ? this.schemas.words(schema) : "no body";
    const names = Object.entries(headers).map(([name, { description }]) => {
      const about = description ? renderLine(description) : "";
      return `<dt><code>${escaped(name)}</code> <span class="type">header</span></dt><dd>${about}</dd>`;
    });
    return [
      `<p><strong>${status}</strong>: ${type}.${description ? ` ${renderLine(description)}` : ""}</p>\n`,
      names.length > 0 ? `<dl class="properties">${names.join("")}</dl>\n` : "",
      schema ? json(this.schemas.example(schema)) : "",
    ].join("");
  }

  schemasPage() {
    const names = Object.keys(this.document.components.schemas).filter((name) => !name.startsWith("List_"));
    const sections = names.map((name) => this.schema(name));
    return {
      title: "Schemas",
      lead: "The schemas of request and response bodies, by name.",
      html: sections.join(""),
      headings: names.map((name) => ({ level: 2, id: name, title: name })),
    };
  }

  schema(name) {
    const schema = this.schemas.named(name);
    const text = schema.description ? renderComment(schema.description) : "";
    const list = this.schemas.list(schema);
    const limits = this.schemas.limits(schema);
    const simple = list ? "" : `<p class="type">${[this.schemas.words(schema), ...limits].join(" · ")}</p>\n`;
    const example = typeof schema.example === "object" ? json(schema.example) : "";
    return `<section class="schema">\n${heading(2, name, name)}${text}${simple}${list}${example}</section>\n`;
  }
}

/** The operations by tag. */
export function groupsOf({ paths }) {
  const groups = new Map();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS.filter((method) => item[method])) {
      const operation = item[method];
      const [name] = operation.tags;
      if (!groups.has(name)) groups.set(name, { name, address: `${INDEX}${slug(name)}/`, operations: [] });
      groups.get(name).operations.push({ id: operationId(method, path), method, path, operation });
    }
  }
  return [...groups.values()].sort((a, b) => order(a.name) - order(b.name));
}

/** From everyday resources to those that are set up once. Other groups come last. */
const ORDER = [
  ...[
    "Projects",
    "Environments",
    "Features",
    "Targeting",
    "Audiences",
    "Approvals",
    "Pipelines",
    "Comparison",
    "Goals",
  ],
  ...["Client keys", "Server keys", "Integrations", "Organisation", "Users", "Tokens", "Audit log"],
];

function order(name) {
  const index = ORDER.indexOf(name);
  return index === -1 ? ORDER.length : index;
}

/** `PATCH /api/v1/projects/{projectKey}` → `patch-projects-projectKey`. */
function operationId(method, path) {
  return `${method}-${path.replace("/api/v1/", "").replace(/[{}]/g, "").replaceAll("/", "-")}`;
}

function methodMark(method) {
  return `<span class="method method-${method}">${method.toUpperCase()}</span>`;
}

/** A path with its parameters marked. Lines may break after slashes. */
function pathHtml(path) {
  return escaped(path)
    .replace(/\{[^}]+\}/g, (name) => `<var>${name}</var>`)
    .replaceAll("/", "/<wbr>")
    .replaceAll("<<wbr>/var>", "</var>")
    .replaceAll("</<wbr>var>", "</var>");
}

function heading(level, id, title) {
  return `<h${level} id="${escaped(id)}">${escaped(title)} ${anchor(id, title)}</h${level}>\n`;
}

function json(example) {
  return example === undefined ? "" : codeBlock(JSON.stringify(example, null, 2), "json");
}

/** `UnsupportedMediaType` → `unsupported media type`. */
function words(name) {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function slug(name) {
  return name.toLowerCase().replaceAll(" ", "-");
}
