// What stands around every page: its head, the bar, the navigation, what is on the page, and the ways to its neighbours.
import { escaped } from "./code.mjs";
import { HOME } from "./pages.mjs";

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230a6474'/%3E%3Cpath d='M5 13V3.5h6.5L9.5 6l2 2.5H6.5' fill='none' stroke='white' stroke-width='1.4' stroke-linejoin='round' stroke-linecap='round'/%3E%3C/svg%3E";
const MARK = `<svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true" focusable="false"><rect width="16" height="16" rx="4" fill="#0a6474"/><path d="M5 13V3.5h6.5L9.5 6l2 2.5H6.5" fill="none" stroke="white" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round"/></svg>`;

/** More headings than these would be a page of their own beside the page. */
const LISTED = 60;

/** A whole document; `pages` are those of the navigation, `assets` the addresses of style and script. */
export function documentOf({ address, title, lead, html, headings }, { pages, assets }) {
  const index = pages.findIndex((page) => page.address === address);
  const name = title === "Flag Service" ? "Flag Service documentation" : `${title} · Flag Service`;
  const about = lead ? `\n    <meta name="description" content="${escaped(lead.slice(0, 300))}">` : "";
  const list = onThisPage(headings);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">${about}
    <title>${escaped(name)}</title>
    <link rel="icon" href="${ICON}">
    <link rel="stylesheet" href="${assets.style}">
    <script type="module" src="${assets.script}"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to the page</a>
    <header class="bar">
      <button type="button" class="menu-button" popovertarget="navigation">Menu</button>
      <a class="brand" href="${HOME}">${MARK}<span>Flag Service <span class="brand-place">Documentation</span></span></a>
      <a class="bar-link" href="/">Administration</a>
    </header>
    <div class="shell">
      <nav class="navigation" id="navigation" aria-label="Documentation" popover>
${navigation(pages, address)}
      </nav>
      <main id="content" tabindex="-1"${list ? "" : ` class="alone"`}>
        <article>
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
      return `<div class="places"><div class="places-title">${escaped(section)}</div><ul aria-label="${escaped(section)}">${links.join("")}</ul></div>`;
    })
    .join("\n");
}

function onThisPage(headings) {
  const two = headings.filter(({ level }) => level === 2 || level === 3);
  const listed = two.length > LISTED ? two.filter(({ level }) => level === 2) : two;
  if (listed.length < 2) return "";
  const items = listed.map(({ level, id, title, mark }) => {
    const sign = mark ? `<span class="list-mark">${mark}</span> ` : "";
    return `<li class="list-${level}"><a href="#${escaped(id)}">${sign}${escaped(title)}</a></li>`;
  });
  return `<nav class="on-this-page" aria-label="On this page"><div class="places-title">On this page</div><ul>${items.join("")}</ul></nav>`;
}

function neighbours(before, after) {
  if (!before && !after) return "";
  const link = (page, word, name) =>
    page
      ? `<a class="${name}" href="${page.address}" rel="${name}"><span>${word}</span>${escaped(page.title)}</a>`
      : "";
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(before, "Before", "prev")}${link(after, "Next", "next")}</nav>`;
}

/** The first page: every section with its pages and what they are about. */
export function homePage(pages) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  const lists = sections.map((section) => {
    const cards = pages
      .filter((page) => page.section === section)
      .map(({ address, title, lead }) => {
        const about = lead ? `<p>${escaped(firstSentence(lead))}</p>` : "";
        return `<li><a href="${address}">${escaped(title)}</a>${about}</li>`;
      });
    const id = section.toLowerCase().replaceAll(" ", "-");
    return `<h2 id="${id}">${escaped(section)}</h2>\n<ul class="cards">${cards.join("")}</ul>\n`;
  });
  const [first] = pages;
  return {
    address: HOME,
    title: "Flag Service",
    lead: "Feature flags for pages and services: they answer at once, and change in realtime.",
    html: `<p class="lead">Feature flags for pages and services: they answer at once, and change in realtime. Here is how to use and run them.</p>
<p class="begin"><a class="button" href="${first.address}">${escaped(first.title)}</a></p>
${lists.join("")}`,
    headings: [],
  };
}

/** The answer to an address that has no page. */
export function missingPage() {
  return {
    address: undefined,
    title: "There is no such page",
    lead: undefined,
    html: `<p>Nothing is documented at this address. Look in the menu, or begin at <a href="${HOME}">the first page</a>.</p>`,
    headings: [],
  };
}

function firstSentence(text) {
  return text.match(/^.*?[.!?](?=\s|$)/)?.[0] ?? text;
}
