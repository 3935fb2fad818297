// The flags on the chart: one for each annotation, or for several that would overlap.

import { svg } from "./chart.js";
import { purchases } from "./metric.js";
import { plainText } from "./text.js";
import { clock } from "./time.js";

/** Annotations closer together than this share a flag. */
const MIN_DISTANCE_PX = 30;
const FLAG_TOP_PX = 14;

/** Groups annotations, which are ordered by time, so that the groups are at least `span` apart. */
function groupByTime(annotations, span) {
  const groups = [];
  for (const annotation of annotations) {
    const group = groups.at(-1);
    // Measure from the first of the group, so that later annotations never split an earlier group.
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

  /** `on` has the callbacks `point(mark)`, `leave(now)` and `open(annotation)`. A mark is `{group, x, top}`. */
  constructor(chart, on) {
    this.#chart = chart;
    this.#on = on;
    chart.marks.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Draws the flags of annotations, which are ordered by time. Animates those in `fresh`. Returns how many are visible. */
  draw(annotations, fresh = new Set()) {
    const chart = this.#chart;
    const groups = groupByTime(annotations, chart.span(MIN_DISTANCE_PX)).filter(
      ([first]) => first.time >= chart.from && first.time <= chart.until,
    );
    const marks = new Map();
    for (const group of groups) {
      const [{ key }] = group;
      const mark = this.#elements.get(key) ?? this.#create(group.some((annotation) => fresh.has(annotation.key)));
      Object.assign(mark, { group, x: chart.x(group[0].time), top: FLAG_TOP_PX });
      this.#update(mark);
      marks.set(key, mark);
    }
    for (const [key, { element }] of this.#elements) if (!marks.has(key)) element.remove();
    const before = [...this.#elements.keys()].join();
    this.#elements = marks;
    // Reorder only if necessary, because a moved element loses the focus.
    if (before !== [...marks.keys()].join()) this.#reorder();
    if (!marks.has(this.#current)) this.#current = [...marks.keys()].at(-1);
    for (const [key, { element }] of marks) element.setAttribute("tabindex", key === this.#current ? "0" : "-1");
    return groups.reduce((sum, group) => sum + group.length, 0);
  }

  #reorder() {
    let next = this.#chart.marks.firstChild;
    for (const { element } of this.#elements.values()) {
      if (element === next) next = next.nextSibling;
      else this.#chart.marks.insertBefore(element, next);
    }
  }

  #create(hoisted) {
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
      this.#setCurrent(mark);
      this.#on.point(mark);
    });
    element.addEventListener("blur", () => this.#on.leave());
    element.addEventListener("click", () => this.#on.open(mark.group[0]));
    return mark;
  }

  #update({ element, parts, group, x, top }) {
    const { bottom } = this.#chart;
    const { hit, ring, mast, flag, count, foot } = parts;
    element.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    const hitArea = { x: -6, y: top - 10, width: MIN_DISTANCE_PX - 2, height: bottom - top + 10 };
    for (const [name, value] of Object.entries(hitArea)) hit.setAttribute(name, value);
    mast.setAttribute("d", `M0 ${top - 2}V${bottom}`);
    const many = group.length > 1;
    const length = many ? 9 + 7 * String(group.length).length : 16;
    flag.setAttribute("d", many ? `M0 ${top}h${length}l-3 7l3 7H0z` : `M0 ${top}l${length} 6l${-length} 6z`);
    const focusRing = { x: -6, y: top - 8, width: length + 12, height: 28 };
    for (const [name, value] of Object.entries(focusRing)) ring.setAttribute(name, value);
    count.setAttribute("x", (length - 2) / 2);
    count.setAttribute("y", top + 11);
    count.textContent = many ? group.length : "";
    foot.setAttribute("cy", this.#chart.y(purchases(group[0].time)));
    element.setAttribute("aria-label", accessibleLabel(group));
  }

  #setCurrent(mark) {
    this.#current = mark.group[0].key;
    for (const { element } of this.#elements.values()) {
      element.setAttribute("tabindex", element === mark.element ? "0" : "-1");
    }
  }

  #onKey(event) {
    const marks = [...this.#elements.values()];
    const focused = marks.findIndex(({ element }) => element === document.activeElement);
    const targets = { ArrowLeft: focused - 1, ArrowRight: focused + 1, Home: 0, End: marks.length - 1 };
    if (event.key in targets) marks[Math.max(0, Math.min(marks.length - 1, targets[event.key]))]?.element.focus();
    else if (event.key === "Enter" || event.key === " ") this.#on.open(marks[focused].group[0]);
    else if (event.key === "Escape") this.#on.leave(true);
    else return;
    event.preventDefault();
  }
}

function accessibleLabel(group) {
  const [{ time, label }] = group;
  return group.length === 1
    ? `${clock(time)}: ${plainText(label)}`
    : `${group.length} annotations from ${clock(time)}: ${group
        .slice(0, 3)
        .map((annotation) => plainText(annotation.label))
        .join("; ")}`;
}
