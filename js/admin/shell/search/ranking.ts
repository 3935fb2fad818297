// Which entries a search shows, and in which order.
import { matchesSearch } from "../../parts/list/filter.js";
import type { Entry, EntryGroup } from "./entries.js";

/** How many entries of a group are shown. */
const MAX_ENTRIES = 8;
/** What is offered before anything is typed. */
const OFFERED = ["Pages", "Projects"];

/** The groups with an entry that matches. The group with the best match comes first. */
export function rank(groups: readonly EntryGroup[], search: string): EntryGroup[] {
  const text = search.trim().toLowerCase();
  if (text === "") return groups.filter(({ title, entries }) => OFFERED.includes(title) && entries.length > 0);
  return groups
    .map(({ title, entries }) => {
      const found = entries
        .filter(({ label, texts }) => matchesSearch(text, [label, ...texts]))
        .map((entry) => ({ entry, grade: grade(entry, text) }))
        .sort((one, other) => one.grade - other.grade)
        .slice(0, MAX_ENTRIES);
      return { title, entries: found.map(({ entry }) => entry), best: found[0]?.grade };
    })
    .filter(({ best }) => best !== undefined)
    .sort((one, other) => (one.best ?? 0) - (other.best ?? 0));
}

/** 0 is best: the name or the key is the text; then it begins with it; then a word of it does; then it has it anywhere. */
function grade({ label, texts }: Entry, text: string): number {
  const names = [label, ...texts.slice(0, 1)].map((name) => name.toLowerCase());
  if (names.includes(text)) return 0;
  if (names.some((name) => name.startsWith(text))) return 1;
  if (names.some((name) => name.split(/[\s_.-]+/).some((word) => word.startsWith(text)))) return 2;
  return names.some((name) => name.includes(text)) ? 3 : 4;
}
