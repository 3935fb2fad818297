// The search box: a combobox with the list of sections that match. "/" focuses it from everywhere.
import { showResult } from "./search-result.js";

class SearchBox {
  #box;
  #input;
  #popup;
  #list;
  #status;
  /** The promise of search.js, once the box has been used. */
  #loading;
  #active = -1;

  constructor(box) {
    this.#box = box;
    this.#input = box.querySelector("input");
    this.#popup = box.querySelector(".search-popup");
    this.#list = box.querySelector("[role=listbox]");
    this.#status = box.querySelector("[role=status]");
    this.#input.addEventListener("focus", () => void this.#load().catch(() => {}));
    this.#input.addEventListener("input", () => void this.#update());
    this.#input.addEventListener("keydown", (event) => this.#onKey(event));
    this.#list.addEventListener("click", () => this.#reset());
    // The focus stays in the field: where a link does not take it, the list would close before the click.
    this.#popup.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("focusout", ({ relatedTarget }) => {
      if (!box.contains(relatedTarget)) this.#close();
    });
    document.addEventListener("keydown", (event) => this.#onShortcut(event));
    box.hidden = false;
  }

  #load() {
    this.#loading ??= import(this.#box.dataset.search).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #update() {
    const query = this.#input.value.trim();
    if (query === "") return this.#close();
    try {
      const { search } = await this.#load();
      // Something else has been typed since.
      if (query === this.#input.value.trim()) this.#show(search(query));
    } catch {
      this.#show([], "The search could not be loaded. Try again.");
    }
  }

  #show(results, none = "No section has all these words.") {
    this.#list.replaceChildren(...results.map((result, index) => showResult(result, `${this.#list.id}-${index}`)));
    this.#list.hidden = results.length === 0;
    this.#popup.querySelector(".search-none").textContent = results.length === 0 ? none : "";
    this.#status.textContent =
      results.length === 0 ? none : results.length === 1 ? "1 result" : `${results.length} results`;
    this.#popup.hidden = false;
    this.#input.setAttribute("aria-expanded", String(results.length > 0));
    this.#select(results.length > 0 ? 0 : -1);
  }

  #select(index) {
    const options = this.#list.children;
    options[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = index;
    const option = options[index];
    if (!option) return this.#input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    this.#input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  #close() {
    this.#popup.hidden = true;
    this.#status.textContent = "";
    this.#input.setAttribute("aria-expanded", "false");
    this.#select(-1);
  }

  #reset() {
    this.#input.value = "";
    this.#close();
  }

  #onKey(event) {
    const count = this.#popup.hidden ? 0 : this.#list.childElementCount;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (count > 0) this.#select((this.#active + step + count) % count);
      else void this.#update();
    } else if (event.key === "Enter" && !event.isComposing) {
      this.#list.children[this.#active]?.click();
    } else if (event.key === "Escape") {
      if (this.#popup.hidden) this.#reset();
      else this.#close();
    }
  }

  #onShortcut(event) {
    const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
    if (event.key !== "/" || isElsewhere || event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    this.#input.focus();
    this.#input.select();
  }
}

const box = document.querySelector(".search");
if (box) new SearchBox(box);
