// The analytics project: its categories and annotations, in memory and optionally in a file.
import { EventEmitter } from "node:events";
import { parseInstant } from "./instant.mjs";
import { Ledger } from "./ledger.mjs";

/** Emits `annotation`, `category` and `cleared`. */
export class Project extends EventEmitter {
  #annotations = [];
  #categories = new Map();
  #initialCategories;
  #ledger;
  #lastId = 0;

  /** `categories` are the initial ones; `data` is the path of the file. */
  constructor({ categories = [], data } = {}) {
    super();
    // Each open page adds listeners.
    this.setMaxListeners(0);
    this.#initialCategories = categories;
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

  /** Adds and returns a category. Returns undefined if the name exists. */
  addCategory(name) {
    if (this.#categories.has(name)) return undefined;
    const category = Object.freeze({ id: this.#nextId(), name });
    this.#categories.set(name, category);
    this.emit("category", category);
    return category;
  }

  /** Adds a valid annotation that arrived `at` this time. */
  add({ label, start, end = null, details = null, category, chart_id = null }, at) {
    const knownCategory = category === undefined ? null : this.category(category);
    const annotation = { id: this.#nextId(), at, label, start, end, details, category: knownCategory, chart_id };
    this.#ledger?.append(annotation);
    this.#annotations.push(Object.freeze(annotation));
    this.emit("annotation", annotation);
    return annotation;
  }

  /** The annotations that match the API's filters. */
  search({ category, chart_id, start, end }) {
    const after = parseInstant(start);
    const before = parseInstant(end);
    return this.#annotations.filter((annotation) => {
      const startedAt = parseInstant(annotation.start);
      if (category !== undefined && annotation.category?.name !== category) return false;
      // An annotation without a chart belongs to every chart.
      if (chart_id !== undefined && annotation.chart_id !== null && annotation.chart_id !== chart_id) return false;
      if (after !== undefined && startedAt <= after) return false;
      return before === undefined || (annotation.end ? parseInstant(annotation.end) : startedAt) < before;
    });
  }

  /** Deletes all annotations, in memory and in the file, and restores the initial categories. */
  clear() {
    this.#ledger?.clear();
    this.#annotations = [];
    this.#categories.clear();
    for (const name of this.#initialCategories) this.addCategory(name);
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
