// Turns the HTML of a page into Markdown, for programs that read the documentation. It knows the elements that our pages have.
import { unescaped } from "./code.mjs";

const VOID = new Set(["br", "hr", "img", "wbr"]);
const BLOCKS = new Set([
  "p",
  "ul",
  "ol",
  "dl",
  "pre",
  "table",
  "div",
  "section",
  "blockquote",
  "hr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "details",
  "figure",
]);

/** The HTML below a page's title as Markdown. `link(href)` returns the address of a link. */
export function plainMarkdown(html, link) {
  return `${new Writer(link).blocks(parse(html)).join("\n\n")}\n`;
}

/** Elements are `{ name, attributes, children }`, texts are strings. */
function parse(html) {
  const open = [{ children: [] }];
  for (const [, end, name, attributes, text] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g)) {
    const parent = open.at(-1);
    if (text !== undefined) parent.children.push(unescaped(text));
    else if (end) open.pop();
    else {
      const element = { name, attributes, children: [] };
      parent.children.push(element);
      if (!VOID.has(name) && !attributes.endsWith("/")) open.push(element);
    }
  }
  return open[0].children;
}

const hasClass = (element, name) => new RegExp(`class="[^"]*\\b${name}\\b`).test(element.attributes ?? "");
const isBlock = (node) => BLOCKS.has(node.name);
const textOf = (node) => (typeof node === "string" ? node : node.children.map(textOf).join(""));

class Writer {
  constructor(link) {
    this.link = link;
  }

  /** One text for each block. Text between blocks is a paragraph. */
  blocks(nodes) {
    const written = [];
    let line = [];
    const endLine = () => {
      const text = this.inline(line);
      if (text) written.push(text);
      line = [];
    };
    for (const node of nodes) {
      if (isBlock(node)) {
        endLine();
        written.push(...this.block(node));
      } else line.push(node);
    }
    endLine();
    return written;
  }

  block(node) {
    const { name, children } = node;
    if (/^h\d$/.test(name)) return [`${"#".repeat(Number(name[1]))} ${this.inline(children)}`];
    if (hasClass(node, "code")) return [this.code(node)];
    if (hasClass(node, "tab-list")) return [];
    if (name === "figure") return this.figure(node);
    if (name === "p") return [this.inline(children)].filter((text) => text !== "");
    if (name === "hr") return ["---"];
    if (name === "ul") return [this.items(children, () => "- ")];
    if (name === "ol") return [this.items(children, (index) => `${index + 1}. `)];
    if (name === "dl") return [this.terms(children)];
    if (name === "table") return [this.table(node)];
    if (name === "blockquote") return [this.blocks(children).join("\n\n").replace(/^/gm, "> ")];
    return this.blocks(children);
  }

  code(block) {
    const { children } = block;
    const isSignature = hasClass(block, "signature");
    const [language] = children.filter((child) => hasClass(child, "code-language")).map(textOf);
    const text = textOf(children.find(({ name }) => name === "pre"));
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
    const fence = "`".repeat(longest + 1);
    const info = isSignature ? "typescript" : (language ?? "").toLowerCase().split(/[ ,.]/)[0];
    return `${fence}${info}\n${text}\n${fence}`;
  }

  /** A picture with its description, or the description of a diagram, and the caption. */
  figure(node) {
    const [image] = descendants(node, "img");
    const [diagram] = descendants(node, "svg");
    const captions = descendants(node, "figcaption").map(({ children }) => this.inline(children));
    const attribute = ({ attributes }, name) => unescaped(attributes.match(new RegExp(`\\b${name}="([^"]*)"`))[1]);
    const shown = image
      ? `![${attribute(image, "alt")}](${attribute(image, "src")})`
      : `Diagram: ${attribute(diagram, "aria-label")}`;
    return [shown, ...captions];
  }

  items(children, mark) {
    const items = children.filter(({ name }) => name === "li");
    return items.map(({ children }, index) => indented(mark(index), this.blocks(children).join("\n"))).join("\n");
  }

  terms(children) {
    const lines = [];
    for (const { name, children: inside } of children) {
      if (name === "dt") lines.push(`- ${this.inline(inside)}`);
      if (name === "dd" && this.blocks(inside).length > 0) lines.push(indented("  ", this.blocks(inside).join("\n")));
    }
    return lines.join("\n");
  }

  table(node) {
    const rows = descendants(node, "tr").map((row) =>
      row.children.filter(({ name }) => name === "th" || name === "td").map((cell) => this.inline(cell.children)),
    );
    const [head, ...body] = rows.map((cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`);
    return [head, `|${" --- |".repeat(rows[0].length)}`, ...body].join("\n");
  }

  inline(nodes) {
    const text = nodes.map((node) => this.part(node)).join("");
    return text.replace(/\s+/g, " ").trim();
  }

  part(node) {
    if (typeof node === "string") return node;
    if (node.name === "code") return `\`${textOf(node)}\``;
    const text = node.children.map((child) => this.part(child)).join("");
    if (hasClass(node, "kind") || hasClass(node, "optional")) return text === "Permissions" ? `${text}:` : `(${text})`;
    if (node.name === "strong" || node.name === "summary") return `**${text}**`;
    if (node.name === "em") return `*${text}*`;
    if (node.name !== "a") return isBlock(node) ? ` ${text} ` : text;
    if (hasClass(node, "anchor")) return "";
    return `[${text}](${this.link(unescaped(node.attributes.match(/href="([^"]*)"/)[1]))})`;
  }
}

function indented(mark, text) {
  return mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`);
}

function descendants(node, name) {
  if (typeof node === "string") return [];
  return node.name === name ? [node] : node.children.flatMap((child) => descendants(child, name));
}
