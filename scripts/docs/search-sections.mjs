// The sections that the search finds, which esbuild puts into look/search.js.

/** For esbuild: the module `search-sections` is the list of these pages, each with its sections. */
export function searchSections(pages) {
  const contents = JSON.stringify(pages);
  return {
    name: "search-sections",
    setup(build) {
      build.onResolve({ filter: /^search-sections$/ }, ({ path }) => ({ path, namespace: "search-sections" }));
      build.onLoad({ filter: /.*/, namespace: "search-sections" }, () => ({ contents, loader: "json" }));
    },
  };
}
