// Checks the links of the pages: the page and the anchor must exist.
const FOREIGN = /^[a-z][a-z0-9+.-]*:/i;

/** Addresses of the service outside the documentation. */
const SERVED = ["/", "/openapi.json", "/docs/api"];

/** Throws with all broken links. `documents` is address → HTML; `assets` are the addresses of other files. */
export function checkLinks(documents, assets) {
  const anchors = new Map([...documents].map(([address, html]) => [address, idsOf(html, address)]));
  const broken = [];
  for (const [address, html] of documents) {
    for (const [, href] of html.matchAll(/<(?:a|img|link|script)\b[^>]*?\b(?:href|src)="([^"]*)"/g)) {
      if (FOREIGN.test(href) || SERVED.includes(href) || assets.includes(href)) continue;
      const [path, fragment] = href.replaceAll("&amp;", "&").split("#");
      const ids = anchors.get(path === "" ? address : path);
      if (!ids) broken.push(`${address} links to ${href}: page not found`);
      else if (fragment && !ids.has(decodeURIComponent(fragment)))
        broken.push(`${address} links to ${href}: anchor not found`);
    }
  }
  if (broken.length > 0) throw new Error(`Broken links in the documentation:\n  ${[...new Set(broken)].join("\n  ")}`);
}

function idsOf(html, address) {
  const ids = new Set();
  for (const [, id] of html.matchAll(/\bid="([^"]*)"/g)) {
    if (ids.has(id)) throw new Error(`${address} has the id ${id} twice.`);
    ids.add(id);
  }
  return ids;
}
