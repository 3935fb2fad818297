// Light, dark, or as the system has it: remembered in this browser, and set before the first paint.

export type Theme = "system" | "light" | "dark";

const KEPT = "flagservice-theme";

/** What was chosen in this browser. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // Storage is blocked.
  }
}

/** Shows a theme, without remembering it. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
}

/** Shows a theme from now on. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme);
  try {
    if (theme === "system") localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, theme);
  } catch {
    // Storage is blocked: the choice holds until the page is left.
  }
}
