// The pages of the documentation in the order of its navigation, and the resolution of links in Markdown.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { withIntegrity } from "../build/integrity.mjs";
import { root } from "../setup.mjs";
import { renderPage } from "./markdown.mjs";
import { PACKAGES, packageAddress, packagePage } from "./packages.mjs";
import { REST_TEXT, restPages } from "./rest.mjs";

export const HOME = "/docs/";

/** The file of the home page, which is not in the navigation. */
const HOME_FILE = "docs/README.md";

/** The scripts whose integrity hashes a page has. */
const SCRIPTS = join(root, "dist", "flagservice-client", "dist");

/** The address of a page as Markdown: `/docs/concepts/` → `/docs/concepts.md`. */
export function markdownAddress(address) {
  return address.replace(/\/$/, ".md");
}

/** Pages that exist even if docs/guide/pages.json does not list them. */
const ALWAYS = [
  { file: "../operation.md", title: "Operating the server", section: "Operation" },
  { file: "../backup.md", title: "Backups", section: "Operation" },
  { file: "../protocol.md", title: "Protocol", section: "Operation" },
];

/** The generated sections. `sources` are the files of the repository whose links lead to a page. */
function generated(resolve) {
  const packages = Object.entries(PACKAGES).map(([name, { types }]) => ({
    address: packageAddress(name),
    title: name,
    section: "Packages",
    sources: [...types, `pkg-template/${name}`, `pkg-template/${name}/README.md`],
    page: () => packagePage(name),
  }));
  const rest = restPages(resolve).map((page, index) => ({
    ...page,
    section: "REST API",
    sources: index === 0 ? ["docs/openapi.json", REST_TEXT] : [],
  }));
  return [...packages, ...rest];
}

/**
 * `home`, and all other `pages`: `{ address, title, section, page() }`. `page()` returns title, lead, HTML, headings and, of written
 * pages, pictures.
 */
export function allPages() {
  const list = join("docs", "guide", "pages.json");
  const guide = existsSync(join(root, list)) ? JSON.parse(readFileSync(join(root, list), "utf8")) : [];
  const listed = new Set(guide.map(({ file }) => file));
  const written = [...guide, ...ALWAYS.filter(({ file }) => !listed.has(file))].map(({ file, title, section }) => {
    const source = posix.join("docs/guide", file);
    if (!existsSync(join(root, source))) throw new Error(`${list} lists ${source}, which does not exist.`);
    const address = `${HOME}${basename(source, ".md")}/`;
    const text = () => withIntegrity(readFileSync(join(root, source), "utf8"), SCRIPTS);
    const page = () => renderPage(text(), { name: source, resolve });
    return { address, title, section, sources: [source], page };
  });
  const pages = inSections([...written, ...generated(resolve)]);
  const addresses = new Map(
    [{ address: HOME, sources: [HOME_FILE] }, ...pages].flatMap(({ address, sources }) =>
      sources.map((file) => [file, address]),
    ),
  );
  for (const [index, { address }] of pages.entries()) {
    if (pages.findIndex((page) => page.address === address) !== index)
      throw new Error(`Two pages have the address ${address}.`);
  }

  /** Resolves a link to a page, another site, or a file of the repository that is not a page. */
  function resolve(href, source) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("#") || href.startsWith("/")) return { href };
    const [path, fragment] = href.split("#");
    const file = posix.join(dirname(source), decodeURI(path)).replace(/\/$/, "");
    const address = addresses.get(file);
    if (address) return { href: fragment === undefined ? address : `${address}#${fragment}` };
    if (file.startsWith("..") || !existsSync(join(root, file)))
      throw new Error(`${source} links to ${href}, which does not exist.`);
    return { path: file };
  }

  const home = () => renderPage(readFileSync(join(root, HOME_FILE), "utf8"), { name: HOME_FILE, resolve });
  return { home: { address: HOME, page: home }, pages };
}

/** Groups the pages by section. */
function inSections(pages) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  return sections.flatMap((section) => pages.filter((page) => page.section === section));
}
