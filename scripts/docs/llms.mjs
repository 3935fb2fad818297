// The documentation for programs that read text: each page as Markdown, and llms.txt, which lists the pages.
import { firstSentence } from "./layout.mjs";
import { HOME, markdownAddress } from "./pages.mjs";
import { plainMarkdown } from "./plain-markdown.mjs";

/** The address and the text of a page as Markdown. */
export function markdownFile({ address, title, html }) {
  return [markdownAddress(address), `# ${title}\n\n${plainMarkdown(html, link)}`];
}

/** The address and the text of llms.txt (https://llmstxt.org). `lead` is the first paragraph of the home page. */
export function llmsFile(lead, pages) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  const lists = sections.map((section) => {
    const items = pages
      .filter((page) => page.section === section)
      .map(
        ({ address, title, lead }) =>
          `- [${title}](${markdownAddress(address)})${lead ? `: ${firstSentence(lead)}` : ""}`,
      );
    return `## ${section}\n\n${items.join("\n")}\n`;
  });
  return [`${HOME}llms.txt`, `# Flag Service\n\n> ${lead}\n\n${lists.join("\n")}`];
}

/** Links to pages lead to their Markdown. */
function link(href) {
  const [path, fragment] = href.split("#");
  if (!/^\/docs\/.+\/$/.test(path) || path === "/docs/api/") return href;
  return fragment === undefined ? markdownAddress(path) : `${markdownAddress(path)}#${fragment}`;
}
