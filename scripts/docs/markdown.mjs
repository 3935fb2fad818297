// Renders Markdown for pages with a strict content security policy: headings with the same anchors as on GitHub, highlighted code,
// scrollable tables. The output has no inline styles and scripts; HTML in the input is an error, except comments.
import MarkdownIt from "markdown-it";
import { codeBlock, escaped } from "./code.mjs";
import { figure } from "./figures.mjs";
import { withTabs } from "./tabs.mjs";

const HEADINGS = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };
const COMMENT = /^\s*(<!--[\s\S]*?-->\s*)+$/;

/** Creates the same anchors as GitHub: a repeated name gets `-1`. */
class Anchors {
  #used = new Map();

  next(text) {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const count = this.#used.get(name) ?? 0;
    this.#used.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  }
}

/**
 * Renders a page. `resolve(href)` returns `{ href }`, or `{ path }` for files that are not pages. Returns the title, the HTML below
 * it, the headings, the first paragraph as text, and the pictures.
 */
export function renderPage(text, { name, resolve }) {
  const env = { name, resolve, headings: [], anchors: new Anchors(), pictures: [], title: undefined, lead: undefined };
  const tokens = PAGE.parse(text, env);
  const first = tokens[0];
  if (first?.type !== "heading_open" || first.tag !== "h1") throw new Error(`${name} must start with its title.`);
  const [, heading] = tokens.splice(0, 3);
  env.title = plain(heading);
  env.anchors.next(env.title);
  let level = 1;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "paragraph_open" && env.lead === undefined && !imageIn(tokens[index + 1]))
      env.lead = plain(tokens[index + 1]);
    if (token.type !== "heading_open") continue;
    const tokenLevel = HEADINGS[token.tag];
    const title = plain(tokens[index + 1]);
    if (tokenLevel === 1) throw new Error(`${name} has a second title: ${title}`);
    if (tokenLevel > level + 1) throw new Error(`${name} skips a heading level before: ${title}`);
    level = tokenLevel;
    const id = env.anchors.next(title);
    token.attrSet("id", id);
    token.meta = { id, title };
    env.headings.push({ level, id, title });
  }
  const render = (part) => PAGE.renderer.render(part, PAGE.options, env);
  return { html: render(withTabs(withFigures(tokens, env), { name, render })), ...env };
}

/** The tokens with each picture that is a paragraph as a figure. */
function withFigures(tokens, env) {
  const images = new Map(tokens.flatMap((token, index) => (imageIn(token) ? [[index, imageIn(token)]] : [])));
  return tokens.flatMap((token, index) => {
    if (images.has(index - 1) || images.has(index + 1)) return [];
    const image = images.get(index);
    if (!image) return [token];
    const { path } = env.resolve(image.attrGet("src"), env.name);
    const { html, picture } = figure({
      file: path,
      alt: lineOf(image.content),
      caption: lineOf(image.attrGet("title")),
    });
    if (picture) env.pictures.push(picture);
    return [Object.assign(token, { type: "markup", content: html })];
  });
}

/** Descriptions and captions may have several lines in Markdown. */
function lineOf(text) {
  return text?.replaceAll("\n", " ");
}

/** The picture, if the text is nothing else. */
function imageIn({ type, children }) {
  return type === "inline" && children.length === 1 && children[0].type === "image" ? children[0] : undefined;
}

/** Renders a comment from types or the OpenAPI document. `link(name)` returns the address of a `{@link name}`. */
export function renderComment(text, { link = () => undefined, name = "a comment" } = {}) {
  const linked = text.replace(/\{@link\s+([^}\s]+)\s*\}/g, (_, target) => {
    const href = link(target);
    if (!href) throw new Error(`${name} links to ${target}, which is not exported.`);
    return `[\`${target}\`](${href})`;
  });
  return PAGE.render(linked, { name, resolve: (href) => ({ href }), headings: [] });
}

/** Renders a comment without the surrounding paragraph. */
export function renderLine(text, options) {
  return renderComment(text, options)
    .trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}

/** A table that scrolls if it is wider than the page. */
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
    throw new Error(`${name} contains HTML, which is not supported: ${tokens[index].content.trim()}`);
  };
  rules.image = (_tokens, _index, _options, { name }) => {
    throw new Error(`${name} has a picture in a line: it must be a paragraph.`);
  };
  rules.markup = (tokens, index) => tokens[index].content;
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
  // An empty header cell is not a header.
  rules.th_open = (tokens, index, options, env, self) => {
    if (tokens[index + 1]?.content !== "") return render(tokens, index, options, env, self);
    tokens[index].tag = "td";
    return render(tokens, index, options, env, self);
  };
  rules.th_close = (tokens, index) => `</${tokens[index - 2].tag}>\n`;
  return markdown;
}

/** The link after a heading that leads to it. */
export function anchor(id, title) {
  return `<a class="anchor" href="#${escaped(id)}" aria-label="Link to ${escaped(title)}">#</a>`;
}

const PAGE = page();
