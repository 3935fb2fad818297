// How the search indexes the sections and reads the index.

/** `updateUser` is found as a whole and by each of its words, and `audiences` also by `audience`. */
function indexed(term) {
  const words = term.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  const singulars = [term, ...words].filter((word) => /[^s]s$/.test(word)).map((word) => word.slice(0, -1));
  return [...new Set([term, ...words, ...singulars].map((word) => word.toLowerCase()))];
}

export const OPTIONS = {
  idField: "address",
  fields: ["title", "page", "text"],
  storeFields: ["address", "page", "title", "text"],
  processTerm: indexed,
  searchOptions: {
    processTerm: (term) => term.toLowerCase(),
    combineWith: "AND",
    boost: { title: 10, page: 2 },
    // The guide explains what the references list. Of many types with a word, the one with this name comes first.
    boostDocument: (address, term, { title }) => {
      if (!/^\/docs\/(rest|packages)\//.test(address)) return 1;
      return title.toLowerCase() === term ? 0.5 : 0.25;
    },
    // While a word is being typed, and with a typing error.
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    // Whole words count more.
    weights: { prefix: 0.2, fuzzy: 0.2 },
  },
};
