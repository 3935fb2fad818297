// Markdown as HTML for a page under a strict policy: headings with the anchors that GitHub gives them, code with classes,
// tables and code that scroll by themselves. It writes no style and no script, and takes no HTML but comments.
import MarkdownIt from "markdown-it";
import { codeBlock, escaped } from "./code.mjs";

const HEADINGS = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };
const COMMENT = /^\s*(<!--[\s\S]*?-->\s*)+$/;

/** Anchors as GitHub makes them of headings: the second of one name gets `-1`. */
export class Anchors {
  #used = new Map();

  of(text) {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const before = this.#used.get(name) ?? 0;
    this.#used.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  }
}

/**
 * Renders a page; `resolve(href)` answers with `{ href }`, or with `{ path }` for what is no page. Answers with the HTML
 * below the title, the title, the headings of two levels and the first paragraph as text.
 */
export function renderPage(text, { name, resolve }) {
  const env = { name, resolve, headings: [], anchors: new Anchors(), title: undefined, lead: undefined };
  const tokens = PAGE.parse(text, env);
  const first = tokens[0];
  if (first?.type !== "heading_open" || first.tag !== "h1") throw new Error(`${name} does not begin with its title.`);
  const [, heading] = tokens.splice(0, 3);
  env.title = plain(heading);
  env.anchors.of(env.title);
  let level = 1;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "paragraph_open" && env.lead === undefined) env.lead = plain(tokens[index + 1]);
    if (token.type !== "heading_open") continue;
    const own = HEADINGS[token.tag];
    const title = plain(tokens[index + 1]);
    if (own === 1) throw new Error(`${name} has a second title: ${title}`);
    if (own > level + 1) throw new Error(`${name} leaves out a level of headings before: ${title}`);
    level = own;
    const id = env.anchors.of(title);
    token.attrSet("id", id);
    token.meta = { id, title };
    env.headings.push({ level: own, id, title });
  }
  return { html: PAGE.renderer.render(tokens, PAGE.options, env), ...env };
}

/** Renders what a comment in types or in the OpenAPI document says; `link(name)` gives the address of a `{@link name}`. */
export function renderComment(text, { link = () => undefined, name = "a comment" } = {}) {
  const linked = text.replace(/\{@link\s+([^}\s]+)\s*\}/g, (_, target) => {
    const href = link(target);
    if (!href) throw new Error(`${name} links to ${target}, which is not exported.`);
    return `[\`${target}\`](${href})`;
  });
  return PAGE.render(linked, { name, resolve: (href) => ({ href }), headings: [] });
}

/** The same without a paragraph around it. */
export function renderLine(text, options) {
  return renderComment(text, options)
    .trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}

/** A table that scrolls where it is wider than its page. */
export function scrolling(table, label) {
  return `<div class="table" role="group" aria-label="${escaped(label)}" tabindex="0">${table}</div>\n`;
}

function plain(inline) {
  return inline.children.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");
}

function page() {
  const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false });
  const rules = markdown.renderer.rules;
  rules.fence = (tokens, index) => codeBlock(tokens[index].content, tokens[index].info.trim().split(/\s+/)[0]);
  rules.code_block = (tokens, index) => codeBlock(tokens[index].content, "");
  const html = (tokens, index, _options, { name }) => {
    if (COMMENT.test(tokens[index].content)) return "";
    throw new Error(`${name} has HTML, which its page would not show: ${tokens[index].content.trim()}`);
  };
  rules.html_block = html;
  rules.html_inline = html;
  rules.heading_close = (tokens, index) => {
    const { id, title } = tokens[index - 2].meta;
    return ` ${anchor(id, title)}</${tokens[index].tag}>\n`;
  };
  rules.table_open = (_tokens, _index, _options, { name }) =>
    `<div class="table" role="group" aria-label="Table" tabindex="0" data-of="${escaped(name)}"><table>\n`;
  rules.table_close = () => "</table></div>\n";
  const render = (tokens, index, options, _env, self) => self.renderToken(tokens, index, options);
  rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const { href, path } = env.resolve(token.attrGet("href"), env.name);
    token.meta = { path };
    if (path) return `<span class="elsewhere">`;
    token.attrSet("href", href);
    return render(tokens, index, options, env, self);
  };
  rules.link_close = (tokens, index) => {
    let depth = 1;
    let open = index;
    while (depth > 0) {
      open -= 1;
      if (tokens[open].type === "link_close") depth += 1;
      if (tokens[open].type === "link_open") depth -= 1;
    }
    const { path } = tokens[open].meta;
    if (!path) return "</a>";
    const text = plain({ children: tokens.slice(open + 1, index) });
    return path.endsWith(text) ? "</span>" : ` (<code>${escaped(path)}</code>)</span>`;
  };
  // A head cell without a word names no column.
  rules.th_open = (tokens, index, options, env, self) => {
    if (tokens[index + 1]?.content !== "") return render(tokens, index, options, env, self);
    tokens[index].tag = "td";
    return render(tokens, index, options, env, self);
  };
  rules.th_close = (tokens, index) => `</${tokens[index - 2].tag}>\n`;
  return markdown;
}

/** The sign behind a heading that leads to it. */
export function anchor(id, title) {
  return `<a class="anchor" href="#${escaped(id)}" aria-label="Link to ${escaped(title)}">#</a>`;
}

const PAGE = page();
