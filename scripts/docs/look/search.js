// Finds sections of the documentation. The page loads this file, with the index in it, when the search box is first used.
import MiniSearch from "minisearch";
// Made by scripts/docs/search-index.mjs.
import index from "search-index";
import { OPTIONS } from "./search-options.js";

const MAX_RESULTS = 12;

const engine = MiniSearch.loadJS(index, OPTIONS);

/** The best sections, each with `terms`, the words in it that match. */
export function search(query) {
  return engine.search(query).slice(0, MAX_RESULTS);
}
