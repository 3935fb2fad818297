// Simulated users of an experiment in real pages: what each of them does, and what the service must count.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";
import { bundled, prepare } from "./react.mjs";

const FEATURE = "banner-color";
const VARIANTS = ["teal", "amber", "plum"];
/** Where a user goes who leaves. */
const LEFT = "about:blank";
const POLL_MS = 50;
const EXPERIMENTS = "/projects/shop/environments/production/experiments";

/** What a user does: each works in a page of their own. Every one of them is one participant. */
const WAYS = [showsLater, showsAtOnce, showsInTwoTabs, leavesAtOnce, reachesGoalFirst, usesReact, usesEdge];

/** Starts an experiment with the banner, whose rules give each variant a third of the users. Resolves to its key. */
export async function startExperiment(service, key = "simulated") {
  const goals = [{ key: "sale", role: "primary" }];
  const experiment = { key, name: "Simulated", featureKey: FEATURE, goals, controlVariantKey: "teal" };
  await service.as("administrator", "POST", EXPERIMENTS, experiment);
  await service.as("administrator", "POST", `${EXPERIMENTS}/${key}/start`);
  return key;
}

/**
 * Lets `count` users take part, `together` at a time. Resolves to what must be counted, and to a function that waits until the service
 * has counted so much: the last beacons of a page are on their way when the page is gone, and end with its context.
 */
export async function simulate({ service, edge, browser, count, together }) {
  await writeFile(join(service.folder, "pages", "shop", "user.html"), '<script src="flagservice.min.js"></script>');
  const react = await bundled("React 19");
  const expected = Object.fromEntries(
    VARIANTS.map((variant) => [variant, { participants: 0, converted: 0, times: 0 }]),
  );
  const contexts = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      const context = await browser.newContext();
      const user = { context, service, edge, react, id: `simulated-${number}`, sales: number % 3 };
      const { variant, sales } = await WAYS[number % WAYS.length](user);
      expected[variant].participants += 1;
      expected[variant].converted += Math.min(sales, 1);
      expected[variant].times += sales;
      for (const page of context.pages()) if (page.url() !== LEFT) await page.close();
      contexts.push(context);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  const arrived = async (key) => {
    const until = Date.now() + HANG_TIMEOUT_MS;
    while (JSON.stringify(await counted(service, key)) !== JSON.stringify(expected) && Date.now() < until) {
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
    await Promise.all(contexts.map((context) => context.close()));
    return counted(service, key);
  };
  return { expected, arrived };
}

/** What the service has counted, by variant. */
async function counted(service, key) {
  const { variants, goals } = await service.as("administrator", "GET", `${EXPERIMENTS}/${key}/results`);
  const sales = goals[0].variants;
  const of = ({ key, participants }, place) => {
    return [key, { participants, converted: sales[place].participants, times: sales[place].times }];
  };
  return Object.fromEntries(variants.map(of));
}

/** Evaluates when the features are loaded, reaches the goal so often, and waits until the service has all of it. */
async function showsLater(user) {
  const page = await open(user);
  return reported(page, user, () => window.show());
}

/** Evaluates before anything is loaded, and again when it is. */
async function showsAtOnce(user) {
  const page = await open({ ...user, atOnce: true });
  return reported(page, user, () => window.show());
}

/** Shows the feature in two tabs. */
async function showsInTwoTabs(user) {
  const first = await open(user);
  const second = await open(user);
  await reported(first, { ...user, sales: 0 }, () => window.show());
  return reported(second, user, () => window.show());
}

/** Leaves the page in the task in which the feature is shown and the goal is reached. */
async function leavesAtOnce(user) {
  const page = await open(user);
  const variant = await page.evaluate((feature) => window.peek(feature), FEATURE);
  await Promise.all([
    page.waitForEvent("framenavigated"),
    page.evaluate(
      ([sales, left]) => {
        window.show();
        for (let sale = 0; sale < sales; sale += 1) window.client.goal("sale");
        location.href = left;
      },
      [user.sales, LEFT],
    ),
  ]);
  return { variant, sales: user.sales };
}

/** Reaches the goal once before the feature is shown: that does not count. */
async function reachesGoalFirst(user) {
  const page = await open(user);
  await sent(page, () => window.client.goal("sale"));
  return reported(page, user, () => window.show());
}

/** Shows the feature with React in StrictMode, which renders and mounts twice. */
async function usesReact(user) {
  const page = await user.context.newPage();
  await page.goto(`${user.service.base}/pages/shop/user.html`);
  await page.addScriptTag({ content: user.react });
  await page.evaluate(() => Object.assign(window, all));
  await page.evaluate(prepare);
  const show = ([feature, apiKey, baseUrl, id]) => {
    window.CaptureClient = () => {
      window.client = Flags.useFlagService();
      return null;
    };
    mount(provider({ apiKey, user: { id }, config: { baseUrl } }, h(CaptureClient), h(Shows, { feature })));
  };
  await sent(page, show, [FEATURE, user.service.clientKey, user.service.base, user.id]);
  const variant = await page.evaluate((feature) => text(feature), FEATURE);
  await reach(page, user.sales);
  return { variant, sales: user.sales };
}

/** Shows the feature in a page whose client uses an edge. */
async function usesEdge(user) {
  const page = await open({ ...user, base: user.edge.base });
  return reported(page, user, () => window.show());
}

/** Opens a page with a client of the user. */
async function open({ context, service, id, base = service.base, atOnce = false }) {
  const page = await context.newPage();
  await page.goto(`${service.base}/pages/shop/user.html`);
  await page.evaluate(
    ([feature, clientKey, baseUrl, id, atOnce]) => {
      window.client = FlagService.init(clientKey, { id }, { baseUrl });
      if (atOnce) window.client.evaluate(feature);
      window.loaded = new Promise((resolve) => window.client.on("LOADED", () => resolve()));
      window.show = () => window.client.evaluate(feature).value();
      window.peek = (key) => window.client.evaluateAll()[key];
      return window.loaded;
    },
    [FEATURE, service.clientKey, base, id, atOnce],
  );
  return page;
}

/** Shows the feature, waits until its participation is accepted, and reaches the goal. */
async function reported(page, user, show) {
  const variant = await sent(page, show);
  await reach(page, user.sales);
  return { variant, sales: user.sales };
}

async function reach(page, sales) {
  for (let sale = 0; sale < sales; sale += 1) await sent(page, () => window.client.goal("sale"));
}

/** Calls a function in the page, and waits until the service has accepted the request that follows. */
async function sent(page, call, argument) {
  const isReport = (response) => response.url().endsWith("/goals") && response.request().method() === "POST";
  const [response, result] = await Promise.all([page.waitForResponse(isReport), page.evaluate(call, argument)]);
  if (response.status() !== 202) throw new Error(`${response.url()}: ${response.status()}`);
  return result;
}
