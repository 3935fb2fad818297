// The callout beside a flag that is hovered or focused.
import { write } from "./text.js";
import { timeElement } from "./time.js";

const MAX_ENTRIES = 3;
const GAP_PX = 10;
const TOP_PX = 8;
/** Time to move the pointer from the flag into the callout. */
const HIDE_DELAY_MS = 200;

export class Callout {
  #element;
  #chart;
  #mark;
  #hideTimer;

  constructor(element, chart) {
    this.#element = element;
    this.#chart = chart;
    element.addEventListener("pointerenter", () => clearTimeout(this.#hideTimer));
    element.addEventListener("pointerleave", () => this.hide());
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.hide(true);
    });
  }

  show(mark) {
    clearTimeout(this.#hideTimer);
    this.#mark = mark;
    const { group } = mark;
    this.#element.replaceChildren(
      ...group.slice(0, MAX_ENTRIES).map((annotation) => entry(annotation, group.length === 1)),
    );
    if (group.length > MAX_ENTRIES) {
      const more = document.createElement("p");
      more.className = "quiet";
      more.textContent = `and ${group.length - MAX_ENTRIES} more in the list`;
      this.#element.append(more);
    }
    this.#element.hidden = false;
    this.place();
  }

  /** Hides the callout after a delay, or at once. */
  hide(now = false) {
    clearTimeout(this.#hideTimer);
    const hideNow = () => {
      // The flag may still have the focus after the pointer has left it.
      const focused = this.#mark?.element === document.activeElement;
      if (focused && !now) return;
      this.#mark = undefined;
      this.#element.hidden = true;
    };
    if (now) hideNow();
    else this.#hideTimer = setTimeout(hideNow, HIDE_DELAY_MS);
  }

  /** Moves the callout with its flag, and hides it if the flag is gone. */
  place() {
    if (!this.#mark) return;
    if (!this.#mark.element.isConnected) return this.hide(true);
    const { offsetWidth: width } = this.#element;
    const { x } = this.#mark;
    const right = x + GAP_PX + 14;
    const left = x - GAP_PX - width;
    const fits = right + width <= this.#chart.width;
    const place = fits ? right : Math.max(0, left);
    this.#element.style.left = `${place}px`;
    // Without room on either side, it goes below the chart.
    this.#element.style.top = `${fits || left >= 0 ? TOP_PX : this.#chart.height}px`;
  }
}

function entry(annotation, withDetails) {
  const element = document.createElement("div");
  element.className = "callout-entry";
  const label = document.createElement("p");
  label.className = "callout-label";
  write(label, annotation.label);
  element.append(timeElement(annotation.start), label);
  if (withDetails && annotation.details) {
    const details = document.createElement("p");
    details.className = "details";
    write(details, annotation.details, { lines: true });
    element.append(details);
  }
  return element;
}
