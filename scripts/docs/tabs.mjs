// Groups of tabs: variants of an example, of which the page shows one. Without JavaScript all are visible, each with its name.
import { escaped } from "./code.mjs";

/** The variants of each kind of group. The style (look/tabs.css) has a rule for each of them. */
const KINDS = {
  client: { label: "Client", names: ["Page", "React", "Node.js", "OpenFeature", "curl"] },
  request: { label: "Language", names: ["curl", "JavaScript"] },
};
const START = /^<!-- tabs -->\s*$/;
const END = /^<!-- end of tabs -->\s*$/;

/** A group. `id` is unique in the page; each variant is `{ name, html }`. */
export function tabs(kind, id, variants) {
  const { label, names } = KINDS[kind];
  const named = variants.map(({ name, html }) => {
    if (!names.includes(name)) throw new Error(`Unknown variant ${name}: add it to scripts/docs/tabs.mjs.`);
    return { name, html, key: name.toLowerCase().replace(".js", "") };
  });
  const buttons = named.map(({ name, key }) => {
    const attributes = `role="tab" id="${id}-${key}" data-tab="${key}" aria-controls="${id}-${key}-panel"`;
    return `<button type="button" ${attributes}>${escaped(name)}</button>`;
  });
  const panels = named.map(
    ({ name, html, key }) =>
      `<div class="tab" id="${id}-${key}-panel" data-tab="${key}"><p class="tab-title"><strong>${escaped(name)}</strong></p>${html}</div>`,
  );
  const list = `<div class="tab-list" role="tablist" aria-label="${label}">${buttons.join("")}</div>`;
  return `<div class="tabs" data-kind="${kind}">${list}\n${panels.join("\n")}</div>\n`;
}

/**
 * The tokens of a page with its groups rendered. In Markdown a group is between two comments, `tabs` and `end of tabs`, and a paragraph
 * in bold begins each variant. `render(tokens)` returns HTML.
 */
export function withTabs(tokens, { name, render }) {
  const written = [];
  let open;
  let groups = 0;
  for (const token of tokens) {
    const comment = token.type === "html_block" ? token.content : "";
    if (START.test(comment)) open = [];
    else if (END.test(comment)) {
      groups += 1;
      const group = tabs("client", `tabs-${groups}`, variants(open, { name, render }));
      written.push(Object.assign(token, { type: "markup", content: group }));
      open = undefined;
    } else (open ?? written).push(token);
  }
  if (open) throw new Error(`${name} has tabs without an end.`);
  return written;
}

function variants(tokens, { name, render }) {
  const starts = tokens.flatMap((_, index) => (titleAt(tokens, index) === undefined ? [] : [index]));
  if (starts[0] !== 0) throw new Error(`${name} has tabs that do not begin with a name in bold.`);
  if (tokens.some(({ type }) => type === "heading_open")) throw new Error(`${name} has a heading inside tabs.`);
  return starts.map((start, index) => ({
    name: titleAt(tokens, start),
    html: render(tokens.slice(start + 3, starts[index + 1])),
  }));
}

/** The text of a paragraph that is bold as a whole. */
function titleAt(tokens, index) {
  if (tokens[index].type !== "paragraph_open" || tokens[index].level !== 0) return undefined;
  const [, text] = /^\*\*([^*]+)\*\*$/.exec(tokens[index + 1].content) ?? [];
  return text;
}
