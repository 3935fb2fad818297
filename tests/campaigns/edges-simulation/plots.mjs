// The plots of the campaign edges-simulation, as SVG.

const WIDTH = 720;
const HEIGHT = 260;
const FRAME = { left: 64, right: 16, top: 34, bottom: 44 };
const COLOURS = ["#1d4ed8", "#b45309", "#047857"];

/** How the changes of a tree reach its edges and clients: the share that has a change by a time. */
export function propagationPlot({ propagation }) {
  const names = {
    firstLevel: "edges of the first level",
    secondLevel: "edges of the second level",
    clients: "clients",
  };
  const series = Object.entries(names).map(([key, name]) => ({
    name,
    points: [[0, 0], ...propagation[key].percentiles.map(([share, ms]) => [ms, share * 100])],
  }));
  return svg([
    {
      title: "Share of edges and clients that have a change, percent",
      x: "milliseconds after the change at the origin",
      series,
    },
  ]);
}

/** Clients and edges that come back after an outage, and the limit: four times an even spread. */
export function reconnectionPlot({ origin, firstLevel, all, clientWindowMs }) {
  const clients = (outage) => perSecond(after(outage.clients, outage.awaySeconds));
  const window = clientWindowMs / 1_000;
  const edges = (bins, seconds) => after(bins, seconds).slice(0, 20);
  return svg([
    spread("All edges away for 60 s: clients that come back, per second", clients(all), window, "s"),
    spread("One edge of the first level away for 60 s: its clients, per second", clients(firstLevel), window, "s"),
    spread(
      "One edge of the first level away for 60 s: edges of the second level, per 0.1 s",
      edges(firstLevel.secondLevel, firstLevel.awaySeconds),
      8,
      "0.1 s",
    ),
    spread(
      "Origin away for 10 minutes: edges of the first level, per 0.1 s",
      edges(origin.firstLevel, origin.awaySeconds),
      8,
      "0.1 s",
    ),
  ]);
}

/** Bins of tenths of a second from the end of an outage on. */
export function after(bins, awaySeconds) {
  return bins.slice(awaySeconds * 10);
}

/** Bins of seconds. */
export function perSecond(bins) {
  const seconds = [];
  for (let start = 0; start < bins.length; start += 10) {
    seconds.push(bins.slice(start, start + 10).reduce((sum, count) => sum + count, 0));
  }
  return seconds;
}

/** The counts of bins, beside an even spread over so many bins, and four times that. */
function spread(title, counts, window, unit) {
  const even = counts.reduce((sum, count) => sum + count, 0) / window;
  const level = (height) => [
    [0, height],
    [Math.min(window, counts.length), height],
  ];
  return {
    title,
    x: `after the end of the outage, in steps of ${unit}`,
    series: [
      { name: "counted", points: counts.map((count, index) => [index + 0.5, count]) },
      { name: "even spread", points: level(even), dashed: true },
      { name: "limit", points: level(4 * even), dashed: true },
    ],
  };
}

function svg(charts) {
  const height = HEIGHT * charts.length;
  const drawn = charts.map((chart, index) => `<g transform="translate(0 ${index * HEIGHT})">${draw(chart)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${drawn.join("\n")}
</svg>
`;
}

function draw({ title, x, series }) {
  const all = series.flatMap(({ points }) => points);
  const [maxX, maxY] = [0, 1].map((axis) => nice(Math.max(...all.map((point) => point[axis]))));
  const toX = (value) => FRAME.left + (value / maxX) * (WIDTH - FRAME.left - FRAME.right);
  const toY = (value) => HEIGHT - FRAME.bottom - (value / maxY) * (HEIGHT - FRAME.top - FRAME.bottom);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const text = (left, top, words, more = "") => `<text x="${round(left)}" y="${round(top)}" ${more}>${words}</text>`;
  const grid = ticks.flatMap((share) => [
    `<path d="M${FRAME.left} ${round(toY(maxY * share))}H${WIDTH - FRAME.right}" stroke="#e5e7eb"/>`,
    text(FRAME.left - 8, toY(maxY * share) + 4, label(maxY * share), 'text-anchor="end" fill="#4b5563"'),
    text(toX(maxX * share), HEIGHT - FRAME.bottom + 16, label(maxX * share), 'text-anchor="middle" fill="#4b5563"'),
  ]);
  const lines = series.flatMap(({ name, points, dashed }, index) => {
    const path = points.map(([left, top]) => `${round(toX(left))} ${round(toY(top))}`).join("L");
    const colour = COLOURS[index % COLOURS.length];
    const dashes = dashed ? ' stroke-dasharray="6 4"' : "";
    return [
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`,
      text(WIDTH - FRAME.right - 4, FRAME.top + 16 + index * 16, name, `text-anchor="end" fill="${colour}"`),
    ];
  });
  const captions = [
    text(FRAME.left, 20, title, 'font-weight="600" fill="#111827"'),
    text((WIDTH + FRAME.left) / 2, HEIGHT - 8, x, 'text-anchor="middle" fill="#4b5563"'),
  ];
  return [...grid, ...lines, ...captions].join("\n");
}

/** The next number with one or two digits that is not smaller. */
function nice(value) {
  const unit = 10 ** Math.max(Math.floor(Math.log10(value || 1)) - 1, 0);
  return Math.ceil(value / unit / 4) * unit * 4 || 1;
}

function label(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

function round(value) {
  return Math.round(value * 10) / 10;
}
