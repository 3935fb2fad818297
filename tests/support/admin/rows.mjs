// The rows of a list of the pages, the texts of its items, and the switches of the list of features.

/** The row whose name, a link to its page, is `name`. */
export const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** The switch of a feature in an environment, by their names. */
export const switchOf = (page, feature, environment) =>
  page.getByRole("switch", { name: `${feature} in ${environment}`, exact: true });

/** The text of each element as people see it, in one line. A new row with `content-visibility: auto` has none before it is painted. */
export const shownTexts = (elements) =>
  elements.evaluateAll(async (all) => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    // biome-ignore lint/performance/useDomNodeTextContent: textContent has no spaces between the parts of a row
    return all.map(({ innerText }) => innerText.replace(/\s+/g, " ").trim());
  });
