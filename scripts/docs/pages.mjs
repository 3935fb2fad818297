// Which pages the documentation has, in the order of its navigation, and where a link in a Markdown file leads.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { root } from "../setup.mjs";
import { renderPage } from "./markdown.mjs";
import { PACKAGES, packageAddress, packagePage } from "./packages.mjs";
import { REST_TEXT, restPages } from "./rest.mjs";

export const HOME = "/docs/";

/** Pages that are there whatever docs/guide/pages.json names. */
const ALWAYS = [
  { file: "../operation.md", title: "Operating the server", section: "Operation" },
  { file: "../backup.md", title: "Backups", section: "Operation" },
  { file: "../protocol.md", title: "Protocol", section: "Operation" },
];

/** The sections that are generated, with what of the repository each page stands for in a link. */
function generated(resolve) {
  const packages = Object.entries(PACKAGES).map(([name, { types }]) => ({
    address: packageAddress(name),
    title: name,
    section: "Packages",
    standsFor: [...types, `pkg-template/${name}`, `pkg-template/${name}/README.md`],
    page: () => packagePage(name),
  }));
  const rest = restPages(resolve).map((one, index) => ({
    ...one,
    section: "REST API",
    standsFor: index === 0 ? ["docs/openapi.json", REST_TEXT] : [],
  }));
  return [...packages, ...rest];
}

/** All pages: `{ address, title, section, page() }`, where `page()` answers with title, lead, HTML and headings. */
export function allPages() {
  const list = join("docs", "guide", "pages.json");
  const guide = existsSync(join(root, list)) ? JSON.parse(readFileSync(join(root, list), "utf8")) : [];
  const listed = new Set(guide.map(({ file }) => file));
  const written = [...guide, ...ALWAYS.filter(({ file }) => !listed.has(file))].map(({ file, title, section }) => {
    const source = posix.join("docs/guide", file);
    if (!existsSync(join(root, source))) throw new Error(`${list} names ${source}, which is not there.`);
    const address = `${HOME}${basename(source, ".md")}/`;
    const page = () => renderPage(readFileSync(join(root, source), "utf8"), { name: source, resolve });
    return { address, title, section, standsFor: [source], page };
  });
  const pages = inSections([...written, ...generated(resolve)]);
  const addresses = new Map(pages.flatMap(({ address, standsFor }) => standsFor.map((file) => [file, address])));
  for (const [index, { address }] of pages.entries()) {
    if (pages.findIndex((one) => one.address === address) !== index)
      throw new Error(`Two pages would be at ${address}.`);
  }

  /** Where a link leads: to a page, out of the site, or to a file of the repository that is no page. */
  function resolve(href, source) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("#") || href.startsWith("/")) return { href };
    const [path, fragment] = href.split("#");
    const file = posix.join(dirname(source), decodeURI(path)).replace(/\/$/, "");
    const address = addresses.get(file);
    if (address) return { href: fragment === undefined ? address : `${address}#${fragment}` };
    if (file.startsWith("..") || !existsSync(join(root, file)))
      throw new Error(`${source} links to ${href}, which is not there.`);
    return { path: file };
  }

  return pages;
}

/** Pages of one section stand together, the sections in the order in which they first come. */
function inSections(pages) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  return sections.flatMap((section) => pages.filter((page) => page.section === section));
}
