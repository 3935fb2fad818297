// The list below the chart: newest first, each annotation with its details.
import { write } from "./text.js";
import { timeElement } from "./time.js";

const PAGE_SIZE = 50;

export class List {
  #element = document.querySelector("[data-annotations]");
  #more = document.querySelector("[data-more]");
  #empty = document.querySelector("[data-none]");
  #items = new Map();
  #annotations = [];
  #visible = PAGE_SIZE;

  constructor() {
    this.#more.addEventListener("click", () => {
      const first = this.#annotations[this.#visible];
      this.#visible += PAGE_SIZE;
      this.#draw();
      this.#items.get(first.key).querySelector("summary").focus();
    });
    const { origin } = location;
    document.querySelector("[data-command]").textContent = [
      `curl ${origin}/api/3/annotations -u API_KEY:SECRET_KEY \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d "{\\"label\\":\\"Ada updated Checkout\\",\\"start\\":\\"$(date -u +%FT%T+00:00)\\"}"`,
    ].join("\n");
  }

  /** Draws annotations, newest first, and highlights those whose keys are in `fresh`. */
  draw(annotations, { fresh = new Set(), category = "", total = annotations.length } = {}) {
    this.#annotations = annotations;
    document.querySelector("[data-count]").textContent = total;
    this.#empty.hidden = annotations.length > 0;
    document.querySelector("[data-none-text]").textContent = category
      ? "No annotations in this category."
      : "No annotations yet. Change a flag or send one manually:";
    document.querySelector("[data-command]").hidden = category !== "";
    this.#draw(fresh);
  }

  /** Opens the details of an annotation and scrolls to it. */
  open({ key }) {
    const index = this.#annotations.findIndex((annotation) => annotation.key === key);
    if (index >= this.#visible) {
      this.#visible = Math.ceil((index + 1) / PAGE_SIZE) * PAGE_SIZE;
      this.#draw();
    }
    const item = this.#items.get(key);
    if (!item) return;
    item.querySelector("details").open = true;
    item.querySelector("summary").focus({ preventScroll: true });
    item.scrollIntoView({ block: "center" });
  }

  #draw(fresh = new Set()) {
    const items = new Map();
    let next = this.#element.firstElementChild;
    for (const annotation of this.#annotations.slice(0, this.#visible)) {
      const item = this.#items.get(annotation.key) ?? createItem(annotation, fresh.has(annotation.key));
      items.set(annotation.key, item);
      if (item === next) next = next.nextElementSibling;
      else this.#element.insertBefore(item, next);
    }
    for (const [key, item] of this.#items) if (!items.has(key)) item.remove();
    this.#items = items;
    const remaining = this.#annotations.length - items.size;
    this.#more.hidden = remaining === 0;
    this.#more.textContent = `Show ${Math.min(PAGE_SIZE, remaining)} more of ${remaining}`;
  }
}

function createItem(annotation, fresh) {
  const item = document.createElement("li");
  item.dataset.annotation = annotation.id;
  if (fresh) item.className = "fresh";
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  const label = document.createElement("span");
  label.className = "label";
  write(label, annotation.label);
  summary.append(timeElement(annotation.start), label);
  if (annotation.category) {
    const category = document.createElement("span");
    category.className = "category";
    write(category, annotation.category.name);
    summary.append(category);
  }
  const text = document.createElement("p");
  text.className = annotation.details ? "details" : "details quiet";
  write(text, annotation.details ?? "No details", { lines: true });
  details.append(summary, text);
  item.append(details);
  return item;
}
