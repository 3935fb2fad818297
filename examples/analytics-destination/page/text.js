// Shows untrusted text safely: invisible characters and direction marks are shown by their code points.

/** Control characters, direction marks, breaks and the like. Line breaks count unless the text is shown in lines. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
const EACH_INVISIBLE = new RegExp(`(${INVISIBLE.source})`, "u");

/** Writes text into an element, on one line or on several. */
export function write(element, text, { lines = false } = {}) {
  // The sentence keeps the page's direction, whatever the direction of the names in it.
  element.dir = "ltr";
  element.replaceChildren(...(lines ? toLines(text) : toNodes(text)));
}

/** The same as a string, for labels that only screen readers see. */
export function plainText(text) {
  return text.split(EACH_INVISIBLE).map(toVisible).join("");
}

function toLines(text) {
  return text.split(/\r\n|\n/).flatMap((line, index) => {
    const element = document.createElement("span");
    element.className = "line";
    element.dir = "ltr";
    element.append(...(isUrl(line) ? [createLink(line)] : toNodes(line)));
    // Keep the line break for copying.
    return index === 0 ? [element] : ["\n", element];
  });
}

function toNodes(text) {
  return text
    .split(EACH_INVISIBLE)
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (!INVISIBLE.test(piece)) return piece;
      const mark = document.createElement("span");
      mark.className = "code-point";
      mark.textContent = toVisible(piece);
      return mark;
    });
}

function toVisible(piece) {
  return INVISIBLE.test(piece) ? `U+${piece.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}` : piece;
}

/** Whether a line is a URL and nothing else. */
function isUrl(line) {
  return /^https?:\/\/\S+$/.test(line) && !INVISIBLE.test(line) && URL.canParse(line);
}

function createLink(url) {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = url;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}
