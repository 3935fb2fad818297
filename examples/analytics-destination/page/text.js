// Text of strangers as text: whatever could not be seen, or could turn its neighbours around, is shown by its name.

/** Controls, marks of direction, breaks and the like; a line break is one only where lines are not shown as lines. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
const EACH = new RegExp(`(${UNSEEN.source})`, "u");

/** Fills the element with a text on one line, or on several. */
export function write(element, text, { lines = false } = {}) {
  // The sentence runs as the page does, whatever the direction of the names in it.
  element.dir = "ltr";
  element.replaceChildren(...(lines ? linesOf(text) : pieces(text)));
}

/** The same as one string, for labels that are only spoken. */
export function spoken(text) {
  return text.split(EACH).map(named).join("");
}

function linesOf(text) {
  return text.split(/\r\n|\n/).flatMap((line, index) => {
    const element = document.createElement("span");
    element.className = "line";
    element.dir = "ltr";
    element.append(...(isAddress(line) ? [linkTo(line)] : pieces(line)));
    // The break stays in what is copied.
    return index === 0 ? [element] : ["\n", element];
  });
}

function pieces(text) {
  return text
    .split(EACH)
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (!UNSEEN.test(piece)) return piece;
      const mark = document.createElement("span");
      mark.className = "unseen";
      mark.textContent = named(piece);
      return mark;
    });
}

function named(piece) {
  return UNSEEN.test(piece) ? `U+${piece.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}` : piece;
}

/** A line that is an address of the web and nothing else. */
function isAddress(line) {
  return /^https?:\/\/\S+$/.test(line) && !UNSEEN.test(line) && URL.canParse(line);
}

function linkTo(address) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}
