// Finds sections of the documentation. The page loads this file, with all text in it, when the search box is first used.
import MiniSearch from "minisearch";
// Made by scripts/docs/search-sections.mjs.
import pages from "search-sections";
import { OPTIONS } from "./search-options.js";

const MAX_RESULTS = 12;

// To index the text here takes less time than to transfer an index of it.
const engine = new MiniSearch(OPTIONS);
engine.addAll(pages.flatMap(sectionsOf));

function sectionsOf({ address, page, sections }) {
  return sections.map(({ id, ...section }) => {
    return { address: id === undefined ? address : `${address}#${encodeURIComponent(id)}`, page, ...section };
  });
}

/** The best sections, each with `terms`, the words in it that match. */
export function search(query) {
  return engine.search(query).slice(0, MAX_RESULTS);
}
