// The analytics project behind the API: its categories and annotations, in memory and, where wanted, in a file.
import { EventEmitter } from "node:events";
import { instantOf } from "./instant.mjs";
import { Ledger } from "./ledger.mjs";

/** Emits `annotation`, `category` and `cleared`. */
export class Project extends EventEmitter {
  #annotations = [];
  #categories = new Map();
  #given;
  #ledger;
  #lastId = 0;

  /** `categories` exist from the start; `data` is the path of the file. */
  constructor({ categories = [], data } = {}) {
    super();
    // Each open page listens.
    this.setMaxListeners(0);
    this.#given = categories;
    if (data) this.#restore(new Ledger(data));
    for (const name of categories) this.addCategory(name);
  }

  get annotations() {
    return [...this.#annotations];
  }

  get categories() {
    return [...this.#categories.values()];
  }

  category(name) {
    return this.#categories.get(name);
  }

  /** The new category; undefined when there is one of that name. */
  addCategory(name) {
    if (this.#categories.has(name)) return undefined;
    const category = Object.freeze({ id: this.#nextId(), name });
    this.#categories.set(name, category);
    this.emit("category", category);
    return category;
  }

  /** Keeps an annotation that was found faultless, and that arrived `at`. */
  add({ label, start, end = null, details = null, category, chart_id = null }, at) {
    const known = category === undefined ? null : this.category(category);
    const annotation = { id: this.#nextId(), at, label, start, end, details, category: known, chart_id };
    this.#ledger?.append(annotation);
    this.#annotations.push(Object.freeze(annotation));
    this.emit("annotation", annotation);
    return annotation;
  }

  /** The annotations that pass the API's filters. */
  search({ category, chart_id, start, end }) {
    const after = instantOf(start);
    const before = instantOf(end);
    return this.#annotations.filter((annotation) => {
      const began = instantOf(annotation.start);
      if (category !== undefined && annotation.category?.name !== category) return false;
      // An annotation without a chart is on every chart.
      if (chart_id !== undefined && annotation.chart_id !== null && annotation.chart_id !== chart_id) return false;
      if (after !== undefined && began <= after) return false;
      return before === undefined || (annotation.end ? instantOf(annotation.end) : began) < before;
    });
  }

  /** Begins anew: no annotation, in memory or file, and the first categories alone. */
  clear() {
    this.#ledger?.clear();
    this.#annotations = [];
    this.#categories.clear();
    for (const name of this.#given) this.addCategory(name);
    this.emit("cleared");
  }

  close() {
    this.#ledger?.close();
    this.removeAllListeners();
  }

  #restore(ledger) {
    for (const annotation of ledger.read()) {
      const { id, category } = annotation;
      if (category) this.#categories.set(category.name, Object.freeze(category));
      this.#lastId = Math.max(this.#lastId, id, category?.id ?? 0);
      this.#annotations.push(Object.freeze(annotation));
    }
    this.#ledger = ledger;
  }

  #nextId() {
    this.#lastId += 1;
    return this.#lastId;
  }
}
