// Whether every link of the pages leads somewhere: to a page that is there, and a place that the page has.
const FOREIGN = /^[a-z][a-z0-9+.-]*:/i;

/** Addresses of the service that are no pages of the documentation. */
const SERVED = ["/", "/openapi.json", "/docs/api"];

/** Fails with all links that lead nowhere. `documents` is address → HTML; `assets` are the addresses of other files. */
export function checkLinks(documents, assets) {
  const places = new Map([...documents].map(([address, html]) => [address, idsOf(html, address)]));
  const broken = [];
  for (const [address, html] of documents) {
    for (const [, href] of html.matchAll(/<(?:a|link|script)\b[^>]*?\b(?:href|src)="([^"]*)"/g)) {
      if (FOREIGN.test(href) || SERVED.includes(href) || assets.includes(href)) continue;
      const [path, fragment] = href.replaceAll("&amp;", "&").split("#");
      const ids = places.get(path === "" ? address : path);
      if (!ids) broken.push(`${address} links to ${href}: there is no such page`);
      else if (fragment && !ids.has(decodeURIComponent(fragment)))
        broken.push(`${address} links to ${href}: the page has no such place`);
    }
  }
  if (broken.length > 0)
    throw new Error(`Links of the documentation lead nowhere:\n  ${[...new Set(broken)].join("\n  ")}`);
}

function idsOf(html, address) {
  const ids = new Set();
  for (const [, id] of html.matchAll(/\bid="([^"]*)"/g)) {
    if (ids.has(id)) throw new Error(`${address} has two places named ${id}.`);
    ids.add(id);
  }
  return ids;
}
