// What stands beside a flag while it is pointed at or has the focus.
import { write } from "./text.js";
import { timeElement } from "./time.js";

const SHOWN = 3;
const GAP = 10;
const BESIDE = 8;
/** Time to move the pointer from the flag into the callout. */
const PATIENCE_MS = 200;

export class Callout {
  #element;
  #chart;
  #mark;
  #leaving;

  constructor(element, chart) {
    this.#element = element;
    this.#chart = chart;
    element.addEventListener("pointerenter", () => clearTimeout(this.#leaving));
    element.addEventListener("pointerleave", () => this.leave());
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.leave(true);
    });
  }

  point(mark) {
    clearTimeout(this.#leaving);
    this.#mark = mark;
    const { group } = mark;
    this.#element.replaceChildren(...group.slice(0, SHOWN).map((annotation) => entry(annotation, group.length === 1)));
    if (group.length > SHOWN) {
      const rest = document.createElement("p");
      rest.className = "quiet";
      rest.textContent = `and ${group.length - SHOWN} more, in the list`;
      this.#element.append(rest);
    }
    this.#element.hidden = false;
    this.place();
  }

  /** Goes in a moment, or at once. */
  leave(now = false) {
    clearTimeout(this.#leaving);
    const go = () => {
      // The focus is still on the flag when the pointer has left it.
      const focused = this.#mark?.element === document.activeElement;
      if (focused && !now) return;
      this.#mark = undefined;
      this.#element.hidden = true;
    };
    if (now) go();
    else this.#leaving = setTimeout(go, PATIENCE_MS);
  }

  /** Beside its flag, whose place has moved with the time; gone, when its flag is. */
  place() {
    if (!this.#mark) return;
    if (!this.#mark.element.isConnected) return this.leave(true);
    const { offsetWidth: width } = this.#element;
    const { x } = this.#mark;
    const right = x + GAP + 14;
    const left = x - GAP - width;
    const fits = right + width <= this.#chart.width;
    const place = fits ? right : Math.max(0, left);
    this.#element.style.left = `${place}px`;
    // Where neither side has room, it stands below the chart and covers none of it.
    this.#element.style.top = `${fits || left >= 0 ? BESIDE : this.#chart.height}px`;
  }
}

function entry(annotation, whole) {
  const element = document.createElement("div");
  element.className = "callout-entry";
  const label = document.createElement("p");
  label.className = "callout-label";
  write(label, annotation.label);
  element.append(timeElement(annotation.start), label);
  if (whole && annotation.details) {
    const details = document.createElement("p");
    details.className = "details";
    write(details, annotation.details, { lines: true });
    element.append(details);
  }
  return element;
}
