// The reference of each published package: its entry points and types.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { codeBlock, escaped, signature } from "./code.mjs";
import { anchor, renderComment, renderLine, scrolling } from "./markdown.mjs";
import { readTypes } from "./types.mjs";

/** Package → the sources of its published types, and the language of its examples. */
export const PACKAGES = {
  "flagservice-client": { types: ["js/browser/public.d.ts", "js/browser/script.d.ts"], examples: "ts" },
  "react-flagservice-client": { types: ["js/react/public.d.ts"], examples: "tsx" },
  "flagservice-node-sdk": { types: ["js/node/public.d.ts"], examples: "ts" },
  "flagservice-openfeature-web": { types: ["js/openfeature/public-web.d.ts"], examples: "ts" },
  "flagservice-openfeature-server": { types: ["js/openfeature/public-server.d.ts"], examples: "ts" },
};

/** Descriptions of the entry points. */
const ENTRIES = {
  ".": "The package: ES modules and CommonJS.",
  "./no-wasm": "Without WebAssembly, for content security policies that forbid it.",
  "./wasm": "With the WebAssembly in a separate file, `core.wasm`, which the bundler must include.",
  "./core.wasm": "The WebAssembly file.",
  "./script": "For a script tag: defines the global `FlagService`.",
  "./script/no-wasm": "For a script tag, without WebAssembly.",
};

/** The sections of a page. */
const GROUPS = [
  {
    id: "values",
    title: "Functions and values",
    includes: ({ kind }) => ["function", "const", "class"].includes(kind),
  },
  { id: "globals", title: "Globals of the script tag", includes: ({ kind }) => kind === "global" },
  { id: "types", title: "Types", includes: ({ kind }) => ["interface", "type"].includes(kind) },
];

const KIND_LABELS = { const: "value", type: "type", interface: "type", global: "global" };

export function packageAddress(name) {
  return `/docs/packages/${name}/`;
}

/** The page of a package: `{ title, lead, html, headings }`. */
export function packagePage(name) {
  const manifest = manifestOf(name);
  const exported = exportsOf(name);
  const page = new PackagePage(name, exported);
  return {
    title: name,
    lead: `${manifest.description}.`,
    html: [
      `<p class="facts">Version ${escaped(manifest.version)} · Node ${escaped(manifest.engines.node)} · types included</p>\n`,
      installation(name, manifest),
      peers(manifest),
      entries(name, manifest),
      page.html(),
    ].join(""),
    headings: [{ level: 2, id: "entries", title: "Entry points" }, ...page.headings],
  };
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(root, "pkg-template", name, "package.json"), "utf8"));
}

/** Nothing is published yet: how to install the package, and those of ours that it needs, from a clone. */
function installation(name, { peerDependencies = {} }) {
  const names = [name, ...Object.keys(peerDependencies).filter((peer) => peer in PACKAGES)];
  const files = names.map((one) => `"$HOME/${one}-${manifestOf(one).version}.tgz"`);
  const pack = `npm pack ${names.map((one) => `./dist/${one}`).join(" ")} --pack-destination "$HOME"`;
  const quickStart = `<a href="/docs/quick-start/">quick start</a>`;
  return [
    `<p>Nothing is published yet. Build the packages in a clone of the repository, as in the ${quickStart}:</p>\n`,
    codeBlock(`npm run build\n${pack}`, "sh"),
    "<p>Then install from the packed files in your project:</p>\n",
    codeBlock(`npm install ${files.join(" ")}`, "sh"),
  ].join("");
}

/** The exports of a package, in the order of its files. */
function exportsOf(name) {
  return PACKAGES[name].types.flatMap((file) => readTypes(join(root, file)));
}

function heading(level, id, title, more = "") {
  return `<h${level} id="${escaped(id)}">${escaped(title)}${more} ${anchor(id, title)}</h${level}>\n`;
}

function peers({ peerDependencies = {} }) {
  const names = Object.entries(peerDependencies);
  if (names.length === 0) return "";
  const list = names.map(([name, range]) => `<code>${escaped(name)}</code> ${escaped(range)}`);
  return `<p>Peer dependencies: ${list.join(", ")}.</p>\n`;
}

function entries(name, { exports }) {
  const rows = Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .map((entry) => {
      if (!ENTRIES[entry])
        throw new Error(`scripts/docs/packages.mjs does not describe ${name}'s entry point ${entry}.`);
      return `<tr><td><code>${escaped(name + entry.slice(1))}</code></td><td>${renderLine(ENTRIES[entry])}</td></tr>`;
    });
  const head = "<thead><tr><th>Import</th><th>Description</th></tr></thead>";
  const table = `<table>${head}<tbody>${rows.join("")}</tbody></table>`;
  return heading(2, "entries", "Entry points") + scrolling(table, "Entry points");
}

class PackagePage {
  constructor(name, exported) {
    this.name = name;
    this.own = exported.filter(({ from }) => from === undefined);
    this.foreign = exported.filter(({ from }) => from in PACKAGES);
    this.reExported = this.foreign.filter(({ isImported }) => !isImported);
    this.headings = [];
  }

  html() {
    const groups = GROUPS.map(({ id, title, includes }) => [id, title, this.own.filter(includes)]);
    const sections = groups.filter(([, , members]) => members.length > 0).map((group) => this.section(...group));
    return sections.join("") + this.reExports();
  }

  section(id, title, exported) {
    this.headings.push({ level: 2, id, title });
    return heading(2, id, title) + exported.map((one) => this.export(one)).join("");
  }

  export({ name, kind, signature: text, comment, members }) {
    // A global has the same name as an export.
    const id = kind === "global" ? `global.${name}` : name;
    this.headings.push({ level: 3, id, title: name });
    const label = ` <span class="kind">${KIND_LABELS[kind] ?? kind}</span>`;
    const head = heading(3, id, name, label) + this.code(text, name);
    const list = members.length > 0 ? this.members(name, members) : "";
    return `<section class="export">\n${head}${this.comment(comment, name)}${list}</section>\n`;
  }

  members(owner, members) {
    const seen = new Map();
    const items = members.map(({ name, signature: text, comment }) => {
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      const id = `${owner}.${name}${count === 0 ? "" : `-${count}`}`;
      const description = `<div class="member-text">${this.comment(comment, id)}</div>`;
      return `<div class="member" id="${escaped(id)}">${this.code(text, owner)}${description}</div>\n`;
    });
    return `<div class="members">\n${items.join("")}</div>\n`;
  }

  comment({ text, tags }, name) {
    const line = (text) => renderLine(text, this.linking(name));
    const parts = text ? [renderComment(text, this.linking(name))] : [];
    const facts = tags.flatMap(({ tag, name: parameter, text }) => {
      if (tag === "param") return [`<dt><code>${escaped(parameter)}</code></dt><dd>${line(text)}</dd>`];
      if (tag === "default") return [`<dt>Default</dt><dd>${this.default(text)}</dd>`];
      if (tag === "throws") return [`<dt>Throws</dt><dd>${line(text)}</dd>`];
      if (tag === "deprecated") return [`<dt>Deprecated</dt><dd>${line(text)}</dd>`];
      if (tag === "example") return [];
      throw new Error(`${this.name}: ${name} has a tag that the reference does not support: @${tag}`);
    });
    if (facts.length > 0) parts.push(`<dl class="tags">${facts.join("")}</dl>\n`);
    for (const { tag, text } of tags) if (tag === "example") parts.push(codeBlock(text, PACKAGES[this.name].examples));
    return parts.join("");
  }

  /** A single value is code, anything else is text. */
  default(text) {
    return text.includes(" ") ? renderLine(text) : `<code>${escaped(text)}</code>`;
  }

  linking(name) {
    return { name: `${this.name}: ${name}`, link: (target) => this.address(target) };
  }

  /** The address of a type or one of its members; undefined if it is not one of ours. */
  address(target) {
    const [name, member] = target.split(".");
    const own = this.own.find((candidate) => candidate.name === name);
    if (own) {
      const exists = member === undefined || own.members.some((candidate) => candidate.name === member);
      return exists ? `#${target}` : undefined;
    }
    const foreign = this.foreign.find((candidate) => candidate.name === name);
    return foreign && `${packageAddress(foreign.from)}#${target}`;
  }

  code(text, self) {
    return signature(text, (name) => (name === self ? undefined : this.address(name)));
  }

  /** The exports that come from another package. */
  reExports() {
    if (this.reExported.length === 0) return "";
    const id = "re-exports";
    this.headings.push({ level: 2, id, title: "Re-exports" });
    const froms = [...new Set(this.reExported.map(({ from }) => from))];
    const lists = froms.map((from) => {
      const names = this.reExported.filter((exported) => exported.from === from);
      const links = names.map(
        ({ name }) => `<li><a href="${packageAddress(from)}#${name}"><code>${name}</code></a></li>`,
      );
      const source = `<a href="${packageAddress(from)}">${from}</a>`;
      return `<p>From ${source}, so that one import is enough:</p>\n<ul class="names">${links.join("")}</ul>\n`;
    });
    return heading(2, id, "Re-exports") + lists.join("");
  }
}
