// The page: updates the chart and the list from the stream, and moves the chart with the time.
import { Callout } from "./callout.js";
import { Chart } from "./chart.js";
import { follow } from "./feed.js";
import { List } from "./list.js";
import { Marks } from "./marks.js";
import { purchases } from "./metric.js";
import { plainText } from "./text.js";

const REDRAW_INTERVAL_MS = 1000;

const chart = new Chart(document.querySelector("[data-chart]"));
const callout = new Callout(document.querySelector("[data-callout]"), chart);
const list = new List();
const marks = new Marks(chart, {
  point: (mark) => callout.show(mark),
  leave: (now) => callout.hide(now),
  open: (annotation) => list.open(annotation),
});
const filter = document.querySelector("[data-filter]");
let state = { region: "", categories: [], annotations: [], total: 0 };
/** The annotations that match the filter, ordered by time. */
let filtered = [];

function draw(fresh) {
  const now = Date.now();
  chart.draw(now);
  const visible = marks.draw(filtered, fresh);
  callout.place();
  document.querySelector("[data-now]").textContent = Math.round(purchases(now));
  document.querySelector("[data-legend]").textContent = legend(visible);
}

function legend(visible) {
  if (visible === 0) return "No annotations in this hour";
  const older = filtered.length - visible;
  const inHour = visible === 1 ? "1 annotation in this hour" : `${visible} annotations in this hour`;
  return older === 0 ? inHour : `${inHour}, ${older} more in the list`;
}

function applyFilter(fresh = new Set()) {
  const category = filter.value;
  filtered = state.annotations
    .filter((annotation) => category === "" || annotation.category?.name === category)
    .map((annotation) => ({ ...annotation, key: keyOf(annotation), time: Date.parse(annotation.start) }))
    .sort((a, b) => a.time - b.time || a.id - b.id);
  const total = category === "" ? state.total : filtered.length;
  list.draw(filtered.toReversed(), { fresh, category, total });
  draw(fresh);
}

/** Identifies an annotation. The id alone is not enough, because a restarted server counts from 1 again. */
function keyOf({ id, at }) {
  return `${id} ${at}`;
}

function updateCategories() {
  const names = state.categories.map(({ name }) => name);
  const current = [...filter.options].slice(1).map(({ value }) => value);
  if (names.join("\n") === current.join("\n")) return;
  const { value } = filter;
  const options = names.map((name) =>
    Object.assign(document.createElement("option"), { value: name, textContent: plainText(name) }),
  );
  filter.replaceChildren(filter.options[0], ...options);
  filter.value = names.includes(value) ? value : "";
}

/** Announces new annotations to screen readers. */
function announce(added) {
  if (added.length === 0) return;
  const text = added.length === 1 ? `New annotation: ${plainText(added[0].label)}` : `${added.length} new annotations`;
  document.querySelector("[data-news]").textContent = text;
}

filter.addEventListener("change", () => applyFilter());
new ResizeObserver(() => draw()).observe(chart.element);
setInterval(draw, REDRAW_INTERVAL_MS);
follow((current, added) => {
  state = current;
  document.querySelector("[data-region]").textContent = state.region;
  updateCategories();
  applyFilter(new Set(added.map(keyOf)));
  announce(added);
});
