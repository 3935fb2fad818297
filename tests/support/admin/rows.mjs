// The rows of a list of the pages, and the switches of the list of features.

/** The row whose name, a link to its page, is `name`. */
export const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** The switch of a feature in an environment, by their names. */
export const switchOf = (page, feature, environment) =>
  page.getByRole("switch", { name: `${feature} in ${environment}`, exact: true });
