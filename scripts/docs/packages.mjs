// The reference of each published package: what its entries are, and what its types say.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { codeBlock, escaped, signature } from "./code.mjs";
import { anchor, renderComment, renderLine, scrolling } from "./markdown.mjs";
import { readTypes } from "./types.mjs";

/** Each package → the sources of the types that it publishes, and the language of its examples. */
export const PACKAGES = {
  "flagservice-client": { types: ["js/browser/public.d.ts", "js/browser/script.d.ts"], examples: "ts" },
  "react-flagservice-client": { types: ["js/react/public.d.ts"], examples: "tsx" },
  "flagservice-node-sdk": { types: ["js/node/public.d.ts"], examples: "ts" },
  "flagservice-openfeature-web": { types: ["js/openfeature/public-web.d.ts"], examples: "ts" },
  "flagservice-openfeature-server": { types: ["js/openfeature/public-server.d.ts"], examples: "ts" },
};

/** What an entry is, where its name alone does not tell. */
const ENTRIES = {
  ".": "The package: ES modules and CommonJS.",
  "./no-wasm": "The same without WebAssembly, for policies that forbid it.",
  "./wasm": "The same with the WebAssembly in a file of its own, `core.wasm`, which the bundler has to take along.",
  "./core.wasm": "That file.",
  "./script": "For a script tag: it defines the global `FlagService`.",
  "./script/no-wasm": "The same without WebAssembly.",
};

/** Values first: what somebody calls. */
const GROUPS = [
  { id: "values", title: "What you call", holds: ({ kind }) => ["function", "const", "class"].includes(kind) },
  { id: "globals", title: "In a page with a script tag", holds: ({ kind }) => kind === "global" },
  { id: "types", title: "Types", holds: ({ kind }) => ["interface", "type"].includes(kind) },
];

const IN_WORDS = { const: "value", type: "type", interface: "type", global: "global" };

export function packageAddress(name) {
  return `/docs/packages/${name}/`;
}

/** The page of a package: `{ title, lead, html, headings }`. */
export function packagePage(name) {
  const manifest = JSON.parse(readFileSync(join(root, "pkg-template", name, "package.json"), "utf8"));
  const exported = exportsOf(name);
  const page = new PackagePage(name, exported);
  return {
    title: name,
    lead: `${manifest.description}.`,
    html: [
      `<p class="facts">Version ${escaped(manifest.version)} · Node ${escaped(manifest.engines.node)} · types included</p>\n`,
      codeBlock(`npm install ${name}`, "sh"),
      peers(manifest),
      entries(name, manifest),
      page.html(),
    ].join(""),
    headings: [{ level: 2, id: "entries", title: "Entries" }, ...page.headings],
  };
}

/** The exports of a package, sorted as its file has them; one that a second file has too counts once. */
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
  return `<p>Beside it: ${list.join(", ")}.</p>\n`;
}

function entries(name, { exports }) {
  const rows = Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .map((entry) => {
      if (!ENTRIES[entry]) throw new Error(`scripts/docs/packages.mjs does not say what ${name}'s entry ${entry} is.`);
      return `<tr><td><code>${escaped(name + entry.slice(1))}</code></td><td>${renderLine(ENTRIES[entry])}</td></tr>`;
    });
  const table = `<table><thead><tr><th>Import</th><th>What it is</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  return heading(2, "entries", "Entries") + scrolling(table, "Entries");
}

class PackagePage {
  constructor(name, exported) {
    this.name = name;
    this.own = exported.filter(({ from }) => from === undefined);
    this.foreign = exported.filter(({ from }) => from in PACKAGES);
    this.again = this.foreign.filter(({ isImported }) => !isImported);
    this.headings = [];
  }

  html() {
    const groups = GROUPS.map(({ id, title, holds }) => [id, title, this.own.filter(holds)]);
    const sections = groups.filter(([, , ones]) => ones.length > 0).map((group) => this.section(...group));
    return sections.join("") + this.handedOn();
  }

  section(id, title, ones) {
    this.headings.push({ level: 2, id, title });
    return heading(2, id, title) + ones.map((one) => this.export(one)).join("");
  }

  export({ name, kind, signature: text, comment, members }) {
    // A global has the name of the export that it is.
    const id = kind === "global" ? `global.${name}` : name;
    this.headings.push({ level: 3, id, title: name });
    const word = ` <span class="kind">${IN_WORDS[kind] ?? kind}</span>`;
    const shown = members.length > 0 ? this.members(name, members) : "";
    return `<section class="export">\n${heading(3, id, name, word)}${this.code(text, name)}${this.comment(comment, name)}${shown}</section>\n`;
  }

  members(owner, members) {
    const seen = new Map();
    const items = members.map(({ name, signature: text, comment }) => {
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      const id = `${owner}.${name}${count === 0 ? "" : `-${count}`}`;
      return `<div class="member" id="${escaped(id)}">${this.code(text, owner)}<div class="member-text">${this.comment(comment, id)}</div></div>\n`;
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
      throw new Error(`${this.name}: ${name} has a tag that the reference does not show: @${tag}`);
    });
    if (facts.length > 0) parts.push(`<dl class="tags">${facts.join("")}</dl>\n`);
    for (const { tag, text } of tags) if (tag === "example") parts.push(codeBlock(text, PACKAGES[this.name].examples));
    return parts.join("");
  }

  /** A value is code, words are words. */
  default(text) {
    return text.includes(" ") ? renderLine(text) : `<code>${escaped(text)}</code>`;
  }

  linking(name) {
    return { name: `${this.name}: ${name}`, link: (target) => this.address(target) };
  }

  /** Where a type or a member of one is explained; nothing for what is none of ours. */
  address(target) {
    const [name, member] = target.split(".");
    const own = this.own.find((one) => one.name === name);
    if (own) {
      const known = member === undefined || own.members.some((one) => one.name === member);
      return known ? `#${target}` : undefined;
    }
    const foreign = this.foreign.find((one) => one.name === name);
    return foreign && `${packageAddress(foreign.from)}#${target}`;
  }

  code(text, self) {
    return signature(text, (name) => (name === self ? undefined : this.address(name)));
  }

  /** What the package hands on from another one. */
  handedOn() {
    if (this.again.length === 0) return "";
    const id = "handed-on";
    this.headings.push({ level: 2, id, title: "Handed on" });
    const froms = [...new Set(this.again.map(({ from }) => from))];
    const lists = froms.map((from) => {
      const names = this.again.filter((one) => one.from === from);
      const links = names.map(
        ({ name }) => `<li><a href="${packageAddress(from)}#${name}"><code>${name}</code></a></li>`,
      );
      return `<p>From <a href="${packageAddress(from)}">${from}</a>, so that one import is enough:</p>\n<ul class="names">${links.join("")}</ul>\n`;
    });
    return heading(2, id, "Handed on") + lists.join("");
  }
}
