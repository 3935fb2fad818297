// The chart: axes and line of the last hour.
import { MINUTE_MS, purchases } from "./metric.js";
import { hourAndMinute } from "./time.js";

export const HOUR_MS = 60 * MINUTE_MS;

const SVG = "http://www.w3.org/2000/svg";
const TOP = 44;
const RIGHT = 22;
const BOTTOM = 26;
const LEFT = 34;
/** The metric always stays below this value. */
const MAX_VALUE = 80;
const STEP = 20;

export function svg(name, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

export class Chart {
  #parts;

  /** Inserts the chart as the first child of `container`. */
  constructor(container) {
    this.element = svg("svg", { "aria-labelledby": "metric", "aria-describedby": "how" });
    container.prepend(this.element);
    this.#parts = { grid: svg("g", { class: "grid" }), area: svg("path", { class: "area" }) };
    Object.assign(this.#parts, { line: svg("path", { class: "line" }), tip: svg("circle", { class: "tip", r: 4.5 }) });
    const scene = svg("g", { "aria-hidden": "true" }, Object.values(this.#parts));
    /** The parent element of the marks. */
    this.marks = svg("g", { class: "marks", role: "toolbar", "aria-label": "Annotations on the chart" });
    this.element.append(scene, this.marks);
  }

  /** Draws the hour that ends now. */
  draw(now) {
    const { width, height } = this.element.getBoundingClientRect();
    this.width = width;
    this.height = height;
    this.top = TOP;
    this.bottom = height - BOTTOM;
    this.from = now - HOUR_MS;
    this.until = now;
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const points = this.#times().map((time) => `${this.x(time).toFixed(1)},${this.y(purchases(time)).toFixed(1)}`);
    const { grid, area, line, tip } = this.#parts;
    line.setAttribute("d", `M${points.join("L")}`);
    area.setAttribute("d", `M${this.x(this.from)},${this.bottom}L${points.join("L")}V${this.bottom}Z`);
    tip.setAttribute("cx", this.x(now));
    tip.setAttribute("cy", this.y(purchases(now)));
    grid.replaceChildren(...this.#levels(), ...this.#hours());
  }

  x(time) {
    return LEFT + ((time - this.from) / HOUR_MS) * (this.width - LEFT - RIGHT);
  }

  y(value) {
    return this.bottom - (value / MAX_VALUE) * (this.bottom - TOP);
  }

  /** The milliseconds that a number of pixels represents. */
  span(pixels) {
    return (pixels / (this.width - LEFT - RIGHT)) * HOUR_MS;
  }

  /** Both ends, and each whole minute between them. */
  #times() {
    const times = [this.from];
    const firstMinute = Math.ceil(this.from / MINUTE_MS) * MINUTE_MS;
    for (let time = firstMinute; time < this.until; time += MINUTE_MS) times.push(time);
    return [...times, this.until];
  }

  #levels() {
    const levels = [];
    for (let value = 0; value <= MAX_VALUE; value += STEP) {
      const y = this.y(value);
      levels.push(svg("line", { x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y }));
      levels.push(svg("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" }, [String(value)]));
    }
    return levels;
  }

  #hours() {
    const step = (this.width < 560 ? 20 : 10) * MINUTE_MS;
    const texts = [];
    for (let time = Math.ceil(this.from / step) * step; time <= this.until; time += step) {
      const x = this.x(time);
      // Labels close to either end would be clipped.
      if (x < LEFT + 14 || x > this.width - 20) continue;
      texts.push(svg("line", { x1: x, x2: x, y1: this.bottom, y2: this.bottom + 5 }));
      texts.push(svg("text", { x, y: this.bottom + 19, "text-anchor": "middle" }, [hourAndMinute(time)]));
    }
    return texts;
  }
}
