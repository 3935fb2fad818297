// The sections of all pages as plain text: what the search finds.
import { escaped, unescaped } from "./code.mjs";

/** Tags inside words and sentences; all others separate words. */
const INLINE = /<\/?(?:a|abbr|b|code|em|i|span|strong|var|wbr)\b[^>]*>/g;

/**
 * What nobody searches for: links to headings, names of languages, examples of requests and bodies, limits of values, the errors,
 * headers and paging parameters that many operations share (the page about REST explains them), and the words in diagrams, which the
 * text around them repeats.
 */
const LEFT_OUT = [
  /<svg[\s\S]*?<\/svg>/g,
  /<div class="tab-list"[\s\S]*?<\/div>/g,
  /<details class="example">[\s\S]*?<\/details>/g,
  /<a class="anchor"[\s\S]*?<\/a>/g,
  /<div class="code"><div class="code-language">(?:JSON|HTTP)<\/div>[\s\S]*?<\/pre><\/div>/g,
  /<div class="code-language">[\s\S]*?<\/div>/g,
  /<dt><code>[^<]*<\/code> <span class="type">(?:string, )?header<\/span>[\s\S]*?<\/dd>/g,
  /<dt><code>(?:cursor|limit)<\/code> <span class="type">[a-z]+, query<\/span>[\s\S]*?<\/dd>/g,
  /<span class="limits">[\s\S]*?<\/span>/g,
  /<p>Errors:<\/p>\s*<ul class="names">[\s\S]*?<\/ul>/g,
];

/**
 * A page with its sections in their order: `{ address, page, sections: [{ id, title, text }] }`. The first, without an id, is the text
 * before the first heading, under the page's title. Members of a package's types are sections too.
 */
export function searchedPage({ address, name, title, html, headings }) {
  const starts = [...headings, ...membersOf(html)]
    .map(({ id, title: heading }) => ({ id, title: heading, at: startOf(html, id, address) }))
    .sort((one, other) => one.at - other.at);
  const first = { title, text: plain(html.slice(0, starts[0]?.at)) };
  const others = starts.map(({ id, title: heading, at }, index) => {
    const part = html.slice(at, starts[index + 1]?.at).replace(/^<(h[1-6])\b[\s\S]*?<\/\1>/, "");
    return { id, title: heading, text: plain(part) };
  });
  return { address, page: name, sections: [first, ...others] };
}

/** The members of a package's types, such as `Client.evaluate`. */
function membersOf(html) {
  return [...html.matchAll(/<div class="member" id="([^"]*)">/g)].map(([, id]) => ({ id, title: id }));
}

function startOf(html, id, address) {
  const at = html.indexOf(` id="${escaped(id)}"`);
  if (at === -1) throw new Error(`${address} has no element with the id ${id}.`);
  return html.lastIndexOf("<", at);
}

function plain(html) {
  const kept = LEFT_OUT.reduce((rest, pattern) => rest.replace(pattern, " "), html);
  const text = kept.replace(INLINE, "").replace(/<[^>]*>/g, " ");
  return unescaped(text).replace(/\s+/g, " ").trim();
}
