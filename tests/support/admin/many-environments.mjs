// A project with twelve environments, something on each of its pages, and what is too wide, too small or too low on a page.
import { randomUUID } from "node:crypto";

const KEY = "many";
const AT = `/projects/${KEY}`;
const COUNT = 12;
const LONG_NAME = "Recommendations of beans that customers with a similar taste have bought";

/** The names of the environments. */
export const ENVIRONMENTS = Array.from({ length: COUNT }, (_, index) => {
  return index === COUNT - 1 ? "Production in Europe" : `Environment ${index + 1}`;
});

const keyOf = (index) => (index === COUNT - 1 ? "production" : `environment-${index + 1}`);
const keys = ENVIRONMENTS.map((_, index) => keyOf(index));

/** Also rules that are long in words. */
function targetingOf(index) {
  const values = ["SE", "NO", "DK", "FI", "IS", "DE", "FR", "ES", "IT", "PL"];
  const splits = [
    { variantKey: "on", percentage: 100 - index },
    { variantKey: "off", percentage: index },
  ].filter(({ percentage }) => percentage > 0);
  const conditions = [{ attribute: "country", operator: "in", values }];
  return {
    enabled: index % 2 === 0,
    offVariantKey: "off",
    rules: [
      { name: "Everybody in the north, and those who bought there once", conditions, splits },
      { name: "Testers", audienceKey: "testers", splits },
    ],
  };
}

function feature(key, name, more = {}) {
  return {
    key,
    name,
    description: "Beans that customers like you have bought.",
    lifecycle: "Active",
    salt: "1",
    variants: ["on", "off"],
    tags: ["growth", "experiment", "checkout"],
    approvalRequired: false,
    pipelineKey: "release",
    targetings: Object.fromEntries(keys.map((key, index) => [key, targetingOf(index)])),
    ...more,
  };
}

function document() {
  const environments = ENVIRONMENTS.map((name, index) => {
    const production = index === COUNT - 1;
    return { key: keyOf(index), name, production, approvalRequired: production, allowedOrigins: [] };
  });
  return {
    format: "flagservice-project",
    formatVersion: 1,
    project: { key: KEY, name: "A project with many environments" },
    environments,
    audiences: [
      {
        key: "testers",
        name: "Testers",
        environmentKey: null,
        conditions: [{ attribute: "flagservice.user.id", operator: "startsWith", values: ["tester-"] }],
      },
    ],
    pipelines: [
      {
        key: "release",
        name: "Release train",
        phases: ENVIRONMENTS.map((name, index) => {
          return { name: `Phase ${name}`, environmentKey: keyOf(index), approvalRequired: false };
        }),
      },
    ],
    features: [
      feature("recommendations", LONG_NAME, { approvalRequired: true }),
      feature("checkout", "Checkout"),
      feature("gift-cards", "Gift cards", { lifecycle: "Draft" }),
    ],
  };
}

/** Creates the project. Returns the address of each page, by name. */
export async function createManyEnvironments(service) {
  await service.import(document());
  const targeting = `${AT}/features/recommendations/environments/production`;
  const { id } = await service.as("productionEditor", "PATCH", targeting, { enabled: true, comment: "Now." });
  const { items } = await service.as("administrator", "GET", `${AT}/environments`);
  const connection = await service.as("administrator", "POST", "/admin/integrations/outbound", {
    type: "analytics",
    enabled: true,
    configuration: {
      analytics: { apiKey: "a", secretKey: "b", region: "US", filter: { environmentIds: items.map(({ id }) => id) } },
    },
  });
  await reportGoal(service);
  return {
    start: `${AT}/start`,
    features: `${AT}/features`,
    feature: `${AT}/features/recommendations`,
    targeting: `${AT}/features/checkout/environments/environment-3`,
    "pending targeting": targeting,
    compare: `${AT}/compare?source=environment-1&target=environment-2&show=all`,
    approvals: `${AT}/approvals`,
    approval: `${AT}/approvals/${id}`,
    audiences: `${AT}/audiences`,
    audience: `${AT}/audiences/testers`,
    pipelines: `${AT}/pipelines`,
    pipeline: `${AT}/pipelines/release`,
    environments: `${AT}/environments`,
    environment: `${AT}/environments/production`,
    goals: `${AT}/goals`,
    projects: "/",
    integrations: "/integrations",
    integration: `/integrations/${connection.id}`,
    users: "/users",
    tokens: "/tokens",
    "audit log": "/audit-log",
  };
}

async function reportGoal(service) {
  const { key } = await service.as("administrator", "POST", `${AT}/environments/production/client-keys`, { name: "A" });
  const goals = ["on", "off"].map((variant) => {
    return { id: randomUUID(), key: "purchase", userId: variant, features: { checkout: variant } };
  });
  const url = `${service.base}/client/v1/${key}/goals`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify({ goals }) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** Opens a page and waits until it is loaded. */
export async function openLoaded(page, address) {
  await page.goto(address);
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true], main .skeleton"));
}

/** Resizes the window, and waits until the page has its new layout. */
export async function resize(page, width) {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** What is wider than the window, or reaches beyond the frame that is around it. In the page. */
export function tooWide() {
  const found = [];
  const { scrollWidth } = document.scrollingElement;
  if (scrollWidth > innerWidth) found.push(`The page is ${scrollWidth} px wide in a window of ${innerWidth} px.`);
  // Most elements are around many others.
  const known = new Map();
  const around = (element) => {
    if (!known.has(element)) {
      const { overflowX, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
      const isFrame = borderLeftWidth !== "0px" && borderRightWidth !== "0px";
      const end = isFrame ? element.getBoundingClientRect().right + 1 : Number.POSITIVE_INFINITY;
      known.set(element, { clips: overflowX !== "visible", end });
    }
    return known.get(element);
  };
  const dialog = document.querySelector("[role=dialog]");
  const describe = (element) =>
    `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.slice(0, 40)}"`;
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility() || element.closest("svg, .visually-hidden, .skip, [aria-hidden=true]")) continue;
    const { right, width } = element.getBoundingClientRect();
    if (width <= 1) continue;
    if (dialog && element.closest("[role=dialog], [role=alertdialog]") === null) continue;
    for (let outer = element.parentElement; outer && !around(outer).clips; outer = outer.parentElement) {
      if (right <= around(outer).end) continue;
      found.push(`${describe(element)} ends ${Math.round(right)} px from the left, beyond ${describe(outer)}`);
      break;
    }
  }
  return found;
}

/** Text of less than 12 px. In the page. */
export function tooSmall() {
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const [text, around] = [texts.currentNode.textContent.trim(), texts.currentNode.parentElement];
    if (text === "" || !around.checkVisibility() || around.closest("script, style, title, .visually-hidden")) continue;
    const size = Number.parseFloat(getComputedStyle(around).fontSize);
    if (size < 12) found.add(`"${text.slice(0, 40)}" has ${size} px`);
  }
  return [...found];
}

/** Controls of less than 32 px. A link in a text is as high as its line, and a hidden input as its label. In the page. */
export function tooLow() {
  const controls =
    "button, label.switch, label.checkbox, label.segment, a.button, nav a, summary, [role=tab], input, textarea";
  const hidden = "[aria-hidden=true], .visually-hidden, .skip, input[type=checkbox], input[type=radio], input[hidden]";
  const found = new Set();
  for (const control of document.querySelectorAll(controls)) {
    if (!control.checkVisibility() || control.closest(hidden)) continue;
    const { height, width } = control.getBoundingClientRect();
    const name = control.getAttribute("aria-label") ?? control.textContent;
    if (width > 1 && Math.round(height) < 32) found.add(`${control.className} "${name}" is ${height} px high`);
  }
  return [...found];
}
