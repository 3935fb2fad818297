// Runs before the page is shown: which tabs were chosen last, for tabs.css and tabs.js. The kinds are those of scripts/docs/tabs.mjs.
for (const kind of ["client", "request"]) {
  try {
    const chosen = localStorage.getItem(`documentation-${kind}`);
    if (chosen) document.documentElement.dataset[kind] = chosen;
  } catch {
    // Storage is blocked: each group shows its first tab.
  }
}
