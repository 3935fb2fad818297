// The sections that the search finds, which esbuild puts into look/search.js.

/** For esbuild: the module `search-sections` is the list of these sections. */
export function searchSections(sections) {
  const contents = JSON.stringify(sections);
  return {
    name: "search-sections",
    setup(build) {
      build.onResolve({ filter: /^search-sections$/ }, ({ path }) => ({ path, namespace: "search-sections" }));
      build.onLoad({ filter: /.*/, namespace: "search-sections" }, () => ({ contents, loader: "json" }));
    },
  };
}
