// The page: what the stream tells goes to the chart and to the list, and the chart moves on with the time.
import { Callout } from "./callout.js";
import { Chart } from "./chart.js";
import { follow } from "./feed.js";
import { List } from "./list.js";
import { Marks } from "./marks.js";
import { purchases } from "./metric.js";
import { spoken } from "./text.js";

const TICK_MS = 1000;

const chart = new Chart(document.querySelector("[data-chart]"));
const callout = new Callout(document.querySelector("[data-callout]"), chart);
const list = new List();
const marks = new Marks(chart, {
  point: (mark) => callout.point(mark),
  leave: (now) => callout.leave(now),
  open: (annotation) => list.open(annotation),
});
const filter = document.querySelector("[data-filter]");
let state = { region: "", categories: [], annotations: [], total: 0 };
/** What passes the filter, in the order of time. */
let chosen = [];

function draw(fresh) {
  const now = Date.now();
  chart.draw(now);
  const inSight = marks.draw(chosen, fresh);
  callout.place();
  document.querySelector("[data-now]").textContent = Math.round(purchases(now));
  document.querySelector("[data-legend]").textContent = legend(inSight);
}

function legend(inSight) {
  if (inSight === 0) return "No annotation in this hour";
  const elsewhere = chosen.length - inSight;
  const here = inSight === 1 ? "1 annotation in this hour" : `${inSight} annotations in this hour`;
  return elsewhere === 0 ? here : `${here}, ${elsewhere} outside it in the list`;
}

function choose(fresh = new Set()) {
  const category = filter.value;
  chosen = state.annotations
    .filter((annotation) => category === "" || annotation.category?.name === category)
    .map((annotation) => ({ ...annotation, key: keyOf(annotation), time: Date.parse(annotation.start) }))
    .sort((one, other) => one.time - other.time || one.id - other.id);
  const total = category === "" ? state.total : chosen.length;
  list.draw(chosen.toReversed(), { fresh, category, total });
  draw(fresh);
}

/** A server that has begun anew counts its ids from one. */
function keyOf({ id, at }) {
  return `${id} ${at}`;
}

function offerCategories() {
  const names = state.categories.map(({ name }) => name);
  const offered = [...filter.options].slice(1).map(({ value }) => value);
  if (names.join("\n") === offered.join("\n")) return;
  const { value } = filter;
  const options = names.map((name) =>
    Object.assign(document.createElement("option"), { value: name, textContent: spoken(name) }),
  );
  filter.replaceChildren(filter.options[0], ...options);
  filter.value = names.includes(value) ? value : "";
}

function tell(news) {
  if (news.length === 0) return;
  const text = news.length === 1 ? `New annotation: ${spoken(news[0].label)}` : `${news.length} new annotations`;
  document.querySelector("[data-news]").textContent = text;
}

filter.addEventListener("change", () => choose());
new ResizeObserver(() => draw()).observe(chart.element);
setInterval(draw, TICK_MS);
follow((current, news) => {
  state = current;
  document.querySelector("[data-region]").textContent = state.region;
  offerCategories();
  choose(new Set(news.map(keyOf)));
  tell(news);
});
