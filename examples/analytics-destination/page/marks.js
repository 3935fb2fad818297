// The flags on the chart: one for an annotation, or for several that would cover each other.

import { svg } from "./chart.js";
import { purchases } from "./metric.js";
import { spoken } from "./text.js";
import { clock } from "./time.js";

/** Closer together than this, annotations share a flag. */
const APART = 30;
const FLAG_TOP = 14;

/** Annotations in the order of their time → groups, none closer to the next than `span`. */
export function grouped(annotations, span) {
  const groups = [];
  for (const annotation of annotations) {
    const group = groups.at(-1);
    // Counted from the group's first, so that what comes later never tears an older group apart.
    if (group && annotation.time - group[0].time < span) group.push(annotation);
    else groups.push([annotation]);
  }
  return groups;
}

export class Marks {
  #chart;
  #elements = new Map();
  #current;
  #on;

  /** `on` has `point(mark)`, `leave()` and `open(annotation)`; a mark is `{group, x, top}`. */
  constructor(chart, on) {
    this.#chart = chart;
    this.#on = on;
    chart.marks.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Draws the flags of annotations in the order of their time; `fresh` are hoisted. Answers how many are in sight. */
  draw(annotations, fresh = new Set()) {
    const chart = this.#chart;
    const groups = grouped(annotations, chart.span(APART)).filter(
      ([first]) => first.time >= chart.from && first.time <= chart.until,
    );
    const kept = new Map();
    for (const group of groups) {
      const [{ key }] = group;
      const mark = this.#elements.get(key) ?? this.#raise(group.some((annotation) => fresh.has(annotation.key)));
      Object.assign(mark, { group, x: chart.x(group[0].time), top: FLAG_TOP });
      this.#shape(mark);
      kept.set(key, mark);
    }
    for (const [key, { element }] of this.#elements) if (!kept.has(key)) element.remove();
    const before = [...this.#elements.keys()].join();
    this.#elements = kept;
    // Moving an element takes its focus away.
    if (before !== [...kept.keys()].join()) this.#order();
    if (!kept.has(this.#current)) this.#current = [...kept.keys()].at(-1);
    for (const [key, { element }] of kept) element.setAttribute("tabindex", key === this.#current ? "0" : "-1");
    return groups.reduce((sum, group) => sum + group.length, 0);
  }

  #order() {
    let place = this.#chart.marks.firstChild;
    for (const { element } of this.#elements.values()) {
      if (element === place) place = place.nextSibling;
      else this.#chart.marks.insertBefore(element, place);
    }
  }

  #raise(hoisted) {
    const parts = {
      hit: svg("rect", { class: "hit" }),
      ring: svg("rect", { class: "ring", rx: 5 }),
      mast: svg("path", { class: "mast" }),
    };
    Object.assign(parts, { flag: svg("path", { class: "flag" }), count: svg("text", { class: "flag-count" }) });
    parts.foot = svg("circle", { class: "foot", r: 3.5 });
    const element = svg("g", { class: hoisted ? "mark hoisted" : "mark", role: "button" }, Object.values(parts));
    const mark = { element, parts };
    element.addEventListener("pointerenter", () => this.#on.point(mark));
    element.addEventListener("pointerleave", () => this.#on.leave());
    element.addEventListener("focus", () => {
      this.#choose(mark);
      this.#on.point(mark);
    });
    element.addEventListener("blur", () => this.#on.leave());
    element.addEventListener("click", () => this.#on.open(mark.group[0]));
    return mark;
  }

  #shape({ element, parts, group, x, top }) {
    const { bottom } = this.#chart;
    const { hit, ring, mast, flag, count, foot } = parts;
    element.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    for (const [name, value] of Object.entries({ x: -6, y: top - 10, width: APART - 2, height: bottom - top + 10 })) {
      hit.setAttribute(name, value);
    }
    mast.setAttribute("d", `M0 ${top - 2}V${bottom}`);
    const many = group.length > 1;
    const length = many ? 9 + 7 * String(group.length).length : 16;
    flag.setAttribute("d", many ? `M0 ${top}h${length}l-3 7l3 7H0z` : `M0 ${top}l${length} 6l${-length} 6z`);
    const around = { x: -6, y: top - 8, width: length + 12, height: 28 };
    for (const [name, value] of Object.entries(around)) ring.setAttribute(name, value);
    count.setAttribute("x", (length - 2) / 2);
    count.setAttribute("y", top + 11);
    count.textContent = many ? group.length : "";
    foot.setAttribute("cy", this.#chart.y(purchases(group[0].time)));
    element.setAttribute("aria-label", labelOf(group));
  }

  #choose(mark) {
    this.#current = mark.group[0].key;
    for (const { element } of this.#elements.values()) {
      element.setAttribute("tabindex", element === mark.element ? "0" : "-1");
    }
  }

  #press(event) {
    const marks = [...this.#elements.values()];
    const at = marks.findIndex(({ element }) => element === document.activeElement);
    const goals = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: marks.length - 1 };
    if (event.key in goals) marks[Math.max(0, Math.min(marks.length - 1, goals[event.key]))]?.element.focus();
    else if (event.key === "Enter" || event.key === " ") this.#on.open(marks[at].group[0]);
    else if (event.key === "Escape") this.#on.leave(true);
    else return;
    event.preventDefault();
  }
}

function labelOf(group) {
  const [{ time, label }] = group;
  return group.length === 1
    ? `${clock(time)}: ${spoken(label)}`
    : `${group.length} annotations from ${clock(time)}: ${group
        .slice(0, 3)
        .map((annotation) => spoken(annotation.label))
        .join("; ")}`;
}
