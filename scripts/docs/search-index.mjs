// The index of the search, which esbuild puts into look/search.js.
import MiniSearch from "minisearch";
import { OPTIONS } from "./look/search-options.js";

/** For esbuild: the module `search-index` is the index of these sections. */
export function searchIndex(sections) {
  const engine = new MiniSearch(OPTIONS);
  engine.addAll(sections);
  const contents = JSON.stringify(engine.toJSON());
  return {
    name: "search-index",
    setup(build) {
      build.onResolve({ filter: /^search-index$/ }, ({ path }) => ({ path, namespace: "search-index" }));
      build.onLoad({ filter: /.*/, namespace: "search-index" }, () => ({ contents, loader: "json" }));
    },
  };
}
