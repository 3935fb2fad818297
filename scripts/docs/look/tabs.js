// Tabs (ARIA's pattern). A choice applies to all groups of the same kind, on this page and on others. tabs.css shows the chosen panels.
const chosen = document.documentElement.dataset;
const groups = [...document.querySelectorAll(".tabs")];

function tabsOf(group) {
  return [...group.querySelectorAll(":scope > [role=tablist] > [role=tab]")];
}

/** Marks the tab that a group shows: the chosen one, or its first. */
function update(group) {
  const tabs = tabsOf(group);
  const selected = tabs.find((tab) => tab.dataset.tab === chosen[group.dataset.kind]) ?? tabs[0];
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === selected));
    tab.tabIndex = tab === selected ? 0 : -1;
  }
}

function choose(tab) {
  const { kind } = tab.closest(".tabs").dataset;
  const top = tab.getBoundingClientRect().top;
  chosen[kind] = tab.dataset.tab;
  for (const group of groups.filter(({ dataset }) => dataset.kind === kind)) update(group);
  // Groups above may have changed their height: the tab stays where it was.
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
  try {
    localStorage.setItem(`documentation-${kind}`, tab.dataset.tab);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
}

function onKey(event) {
  const tab = event.target.closest("[role=tab]");
  if (!tab || event.ctrlKey || event.metaKey || event.altKey) return;
  const tabs = tabsOf(event.currentTarget);
  const index = tabs.indexOf(tab);
  const places = { ArrowRight: index + 1, ArrowLeft: index - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  const next = tabs[place % tabs.length];
  choose(next);
  next.focus();
}

for (const group of groups) {
  for (const tab of tabsOf(group)) {
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
  }
  update(group);
  group.addEventListener("click", ({ target }) => {
    const tab = target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  group.addEventListener("keydown", onKey);
}
