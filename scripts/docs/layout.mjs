// The frame of every page: head, bar, navigation, table of contents, and links to the previous and next page.
import { escaped } from "./code.mjs";
import { HOME, markdownAddress } from "./pages.mjs";

const PENNANT = "M5 13V3.5h6.5L9.5 6l2 2.5H6.5";
const STROKE = "fill='none' stroke='white' stroke-width='1.4' stroke-linejoin='round' stroke-linecap='round'";
const DRAWING = `<rect width='16' height='16' rx='4' fill='#0a6474'/><path d='${PENNANT}' ${STROKE}/>`;
const SVG_ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${DRAWING}</svg>`;
const ICON_URL = `data:image/svg+xml,${SVG_ICON.replaceAll("<", "%3C").replaceAll(">", "%3E").replace("#", "%23")}`;
const LOGO = `<svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true" focusable="false">${DRAWING}</svg>`;

/** Longer tables of contents list only the top level. */
const MAX_CONTENTS = 60;

/** A complete document. `pages` are those of the navigation, `assets` the addresses of style, script and search. */
export function documentOf({ address, title, lead, html, headings }, { pages, assets }) {
  const index = pages.findIndex((page) => page.address === address);
  const name = title === "Flag Service" ? "Flag Service documentation" : `${title} · Flag Service`;
  const about = lead ? `\n    <meta name="description" content="${escaped(lead.slice(0, 300))}">` : "";
  const list = address === HOME ? "" : onThisPage(headings);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">${about}
    <title>${escaped(name)}</title>
    <link rel="icon" href="${ICON_URL}">${alternate(address)}
    <link rel="stylesheet" href="${assets.style}">${chosenTabs(html, assets)}
    <script type="module" src="${assets.script}"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header class="bar">
      <button type="button" class="menu-button" popovertarget="navigation">Menu</button>
      <a class="brand" href="${HOME}">${LOGO}<span>Flag Service <span class="brand-place">Documentation</span></span></a>
${searchBox(assets)}
      <a class="bar-link" href="/">Administration</a>
    </header>
    <div class="shell${list ? " with-contents" : ""}">
      <nav class="navigation" id="navigation" aria-label="Documentation" popover>
${navigation(pages, address)}
      </nav>
      <main id="content" tabindex="-1">
        <article${address === HOME ? ` class="home"` : ""}>
          <h1>${escaped(title)}</h1>
          ${html}
        </article>
        ${neighbours(pages[index - 1], pages[index + 1])}
      </main>
      ${list}
    </div>
  </body>
</html>
`;
}

/** The link to the page as Markdown. For the home page it is llms.txt. */
function alternate(address) {
  if (address === undefined || address === HOME) return "";
  return `\n    <link rel="alternate" type="text/markdown" href="${markdownAddress(address)}">`;
}

/** Runs before anything is shown, so that a page begins with the tabs that were chosen on another one. */
function chosenTabs(html, assets) {
  return html.includes('<div class="tabs"') ? `\n    <script src="${assets.chosenTabs}"></script>` : "";
}

/** The script shows it. */
function searchBox(assets) {
  const list = "documentation-search";
  return `      <div class="search" role="search" data-search="${assets.search}" hidden>
        <input type="text" role="combobox" aria-label="Search the documentation" aria-autocomplete="list" aria-expanded="false"
          aria-controls="${list}" aria-keyshortcuts="/" autocomplete="off" spellcheck="false" enterkeyhint="go" placeholder="Search">
        <kbd aria-hidden="true">/</kbd>
        <p class="spoken" role="status"></p>
        <div class="search-popup" hidden>
          <p class="search-none" aria-hidden="true"></p>
          <div role="listbox" id="${list}" aria-label="Results"></div>
        </div>
      </div>`;
}

function navigation(pages, address) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  return sections
    .map((section) => {
      const links = pages
        .filter((page) => page.section === section)
        .map((page) => {
          const current = page.address === address ? ` aria-current="page"` : "";
          return `<li><a href="${page.address}"${current}>${escaped(page.title)}</a></li>`;
        });
      const list = `<ul aria-label="${escaped(section)}">${links.join("")}</ul>`;
      return `<div class="places"><div class="places-title">${escaped(section)}</div>${list}</div>`;
    })
    .join("\n");
}

function onThisPage(headings) {
  const contents = headings.filter(({ level }) => level === 2 || level === 3);
  const listed = contents.length > MAX_CONTENTS ? contents.filter(({ level }) => level === 2) : contents;
  if (listed.length < 2) return "";
  const items = listed.map(({ level, id, title, mark }) => {
    const sign = mark ? `<span class="list-mark">${mark}</span> ` : "";
    return `<li class="list-${level}"><a href="#${escaped(id)}">${sign}${escaped(title)}</a></li>`;
  });
  const list = `<div class="places-title">On this page</div><ul>${items.join("")}</ul>`;
  return `<nav class="on-this-page" aria-label="On this page">${list}</nav>`;
}

function neighbours(previous, next) {
  if (!previous && !next) return "";
  const link = (page, word, name) =>
    page
      ? `<a class="${name}" href="${page.address}" rel="${name}"><span>${word}</span>${escaped(page.title)}</a>`
      : "";
  const links = link(previous, "Previous", "prev") + link(next, "Next", "next");
  return `<nav class="neighbours" aria-label="Previous and next page">${links}</nav>`;
}

/** The page for unknown addresses. */
export function missingPage() {
  return {
    address: undefined,
    title: "Page not found",
    lead: undefined,
    html: `<p>There is no page at this address. Use the menu, or go to the <a href="${HOME}">home page</a>.</p>`,
    headings: [],
  };
}

/** For lists of pages. */
export function firstSentence(text) {
  return text.match(/^.*?[.!?](?=\s|$)/)?.[0] ?? text;
}
