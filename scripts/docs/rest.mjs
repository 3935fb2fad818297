// The reference of the REST API, from docs/openapi.json: a page for each resource, one for how all of them work, which begins with
// docs/rest.md, and one for the shapes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { codeBlock, escaped } from "./code.mjs";
import { anchor, renderComment, renderLine, renderPage } from "./markdown.mjs";
import { SHAPES_ADDRESS, Shapes } from "./shapes.mjs";

const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";

/** A role in the words of the administration pages, and who has its rights. */
const CALLERS = {
  readOnly: "Everybody with a personal access token.",
  editor: "Editors, production editors and administrators. What changes production takes a production editor.",
  productionEditor: "Production editors and administrators.",
  administrator: "Administrators.",
};

const INDEX = "/docs/rest/";

/** What is written, not generated. */
export const REST_TEXT = "docs/rest.md";

/** The pages of the reference: `{ address, title, page() }`; `resolve` finds where the links of docs/rest.md lead. */
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
    { address: SHAPES_ADDRESS, title: "Shapes", page: () => reference.shapesPage() },
  ];
}

class Reference {
  constructor(document) {
    this.document = document;
    this.shapes = new Shapes(document.components.schemas);
    this.groups = groupsOf(document);
  }

  index(resolve) {
    const text = readFileSync(join(root, REST_TEXT), "utf8");
    const { title, lead, html, headings } = renderPage(text, { name: REST_TEXT, resolve });
    const lists = this.groups.map(({ address, name, operations }) => {
      const items = operations.map(
        ({ id, method, path, operation }) =>
          `<li>${methodMark(method)} <span><a href="${address}#${id}"><code>${pathHtml(path)}</code></a> ${renderLine(operation.summary)}</span></li>`,
      );
      return `${heading(3, `all-${slug(name)}`, name)}<ul class="operations">${items.join("")}</ul>\n`;
    });
    const problems = Object.entries(this.document.components.responses)
      .map(([name, answer]) => ({ name, ...answer, example: answer.content["application/problem+json"].example }))
      .sort((a, b) => a.example.status - b.example.status)
      .map((one) => this.problem(one));
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
    return `<section class="problem" id="${name}"><h3>${example.status} ${escaped(example.title)} ${anchor(name, name)}</h3><p>${renderLine(description)}</p>${json(example)}</section>\n`;
  }

  group(name, operations) {
    return {
      title: name,
      lead: `${operations.length} operations of the REST API.`.replace(/^1 operations/, "1 operation"),
      html: operations.map((one) => this.operation(one)).join(""),
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
    const told = [...more, operation.description ?? ""].join(" ").trim();
    return [
      `<section class="operation">\n`,
      heading(2, id, summary.replace(/\.$/, "")),
      `<p class="request">${methodMark(method)} <code>${pathHtml(path)}</code></p>\n`,
      told && renderComment(told),
      this.caller(operation),
      this.parameters(operation, id),
      this.body(operation, id),
      this.answers(operation, id),
      `</section>\n`,
    ].join("");
  }

  caller({ security }) {
    const [role] = security?.[0]?.personalAccessToken ?? [];
    if (!CALLERS[role]) throw new Error("An operation of docs/openapi.json does not say who may call it.");
    return `<p class="caller"><span class="kind">Who</span> ${CALLERS[role]}</p>\n`;
  }

  parameters({ parameters = [] }, id) {
    if (parameters.length === 0) return "";
    const places = { path: "in the path", query: "in the query", header: "header" };
    const items = parameters.map((one) => {
      const optional = one.required ? "" : ` <span class="optional">optional</span>`;
      const about = this.shapes.about({ ...one.schema, ...(one.description && { description: one.description }) });
      return `<dt><code>${escaped(one.name)}</code> <span class="type">${this.shapes.words(one.schema)}, ${places[one.in]}</span>${optional}</dt><dd>${about}</dd>`;
    });
    return `${heading(3, `${id}-parameters`, "Parameters")}<dl class="properties">${items.join("")}</dl>\n`;
  }

  body({ requestBody }, id) {
    if (!requestBody) return "";
    const { schema } = requestBody.content[JSON_TYPE];
    const optional = requestBody.required ? "" : `, <span class="optional">optional</span>`;
    return [
      heading(3, `${id}-body`, "Body"),
      `<p>${this.shapes.words(schema)}${optional}</p>\n`,
      this.shapes.list(schema),
      json(this.shapes.example(schema)),
    ].join("");
  }

  answers({ responses }, id) {
    const good = Object.entries(responses).filter(([, answer]) => !answer.$ref);
    const problems = Object.entries(responses).filter(([, answer]) => answer.$ref);
    const links = problems.map(([status, { $ref }]) => {
      const name = $ref.split("/").at(-1);
      return `<li><a href="${INDEX}#${name}">${status} ${escaped(words(name))}</a></li>`;
    });
    return [
      heading(3, `${id}-answer`, "Answer"),
      ...good.map(([status, answer]) => this.answer(status, answer)),
      `<p>Or a problem:</p>\n<ul class="names">${links.join("")}</ul>\n`,
    ].join("");
  }

  answer(status, { content, description, headers = {} }) {
    const schema = content?.[JSON_TYPE]?.schema;
    const what = schema ? this.shapes.words(schema) : "nothing in it";
    const names = Object.entries(headers).map(
      ([name, { description }]) =>
        `<dt><code>${escaped(name)}</code> <span class="type">header</span></dt><dd>${description ? renderLine(description) : ""}</dd>`,
    );
    return [
      `<p><strong>${status}</strong>: ${what}.${description ? ` ${renderLine(description)}` : ""}</p>\n`,
      names.length > 0 ? `<dl class="properties">${names.join("")}</dl>\n` : "",
      schema ? json(this.shapes.example(schema)) : "",
    ].join("");
  }

  shapesPage() {
    const names = Object.keys(this.document.components.schemas).filter((name) => !name.startsWith("List_"));
    const sections = names.map((name) => this.shape(name));
    return {
      title: "Shapes",
      lead: "What the bodies of requests and answers are made of, by name.",
      html: sections.join(""),
      headings: names.map((name) => ({ level: 2, id: name, title: name })),
    };
  }

  shape(name) {
    const schema = this.shapes.named(name);
    const text = schema.description ? renderComment(schema.description) : "";
    const list = this.shapes.list(schema);
    const limits = this.shapes.limits(schema);
    const simple = list ? "" : `<p class="type">${[this.shapes.words(schema), ...limits].join(" · ")}</p>\n`;
    const example = typeof schema.example === "object" ? json(schema.example) : "";
    return `<section class="shape">\n${heading(2, name, name)}${text}${simple}${list}${example}</section>\n`;
  }
}

/** The operations by their tags, in the order of the document. */
function groupsOf({ paths }) {
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

/** From what people work with to what they set up once; a group that is not named here comes last. */
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

/** A path may break behind its slashes, and shows what is to be filled in. */
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
