// The colour theme: light, dark or that of the system. It is stored in this browser and applied before the first paint.

export type Theme = "system" | "light" | "dark";

const STORAGE_KEY = "flagservice-theme";

export function savedTheme(): Theme {
  try {
    const saved = localStorage.getItem(STORAGE_KEY);
    return saved === "light" || saved === "dark" ? saved : "system";
  } catch {
    return "system"; // Storage is blocked.
  }
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
}

/** Applies a theme and stores it. */
export function saveTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    if (theme === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage is blocked: the theme lasts until the page is left.
  }
}
