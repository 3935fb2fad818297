// One result of the search: a link with the page, the heading, and the text around the first word that matches.

const BEFORE = 48;
const LENGTH = 160;

/** An option of the list. */
export function showResult({ address, page, title, text, terms }, id) {
  const option = document.createElement("a");
  option.setAttribute("role", "option");
  option.id = id;
  option.href = address;
  option.tabIndex = -1;
  option.setAttribute("aria-selected", "false");
  const words = pattern(terms);
  option.append(line("result-title", title, words));
  if (page !== title) option.prepend(line("result-page", page, words));
  const excerpt = around(text, words);
  if (excerpt) option.append(line("result-text", excerpt, words));
  return option;
}

/** Matches the words anywhere, the longest first. */
function pattern(terms) {
  const longestFirst = [...terms].sort((one, other) => other.length - one.length);
  return new RegExp(`(${longestFirst.map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})`, "iu");
}

/** The part of the text that begins a little before the first match. */
function around(text, words) {
  const match = words.exec(text)?.index ?? 0;
  const start = match <= BEFORE ? 0 : text.indexOf(" ", match - BEFORE) + 1;
  const end = start + LENGTH >= text.length ? text.length : text.lastIndexOf(" ", start + LENGTH);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

function line(className, text, words) {
  const element = document.createElement("span");
  element.className = className;
  // Every second part is a match.
  const parts = text.split(new RegExp(words.source, "giu"));
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) element.append(part);
    else element.append(Object.assign(document.createElement("mark"), { textContent: part }));
  }
  return element;
}
