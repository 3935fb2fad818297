// Measures the pages with 1,000 features. Tests report the figures, and the campaign `pages` sets limits.
import { project } from "../server/large-project.mjs";

export const MANY = 1_000;

/** Creates the project `large`: 1,000 features with ten rules in each of two environments. */
export async function addLargeProject(service) {
  const environments = ["staging", "production"].map((key) => {
    return { key, production: key === "production", approvalRequired: false };
  });
  const moved = (environment, feature) => environment === "production" && feature % 3 === 0;
  await service.import(project({ key: "large", features: MANY, environments, moved, gated: false }));
}

/** Opens the list. Returns the milliseconds from the last byte of its first 200 features until the first row is interactive. */
export async function openLargeList(page) {
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector("[role=table] [role=row][aria-rowindex='2']")) return;
      observer.disconnect();
      // After painting, when the next event can be handled.
      requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/projects/large/features");
  return sinceData(page, /\/features\?(?!.*cursor=)/);
}

/** Opens the comparison. Returns the milliseconds from the last byte of its data until a feature is selected. */
export async function openLargeComparison(page) {
  // Selects the first row as soon as it is rendered, and waits until the copy bar shows the selection.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const tick = document.querySelector("[data-index='0'] input[type=checkbox]:not([disabled])");
      if (tick && performance.getEntriesByName("ticked").length === 0) {
        performance.mark("ticked");
        tick.click();
      }
      if (document.body?.textContent.includes("1 selected") && performance.getEntriesByName("followed").length === 0) {
        performance.mark("followed");
        requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  await page.goto("/projects/large/compare?source=staging&target=production&show=all");
  return sinceData(page, /compare\?|audiences/);
}

async function sinceData(page, pattern) {
  await page.waitForFunction(() => performance.getEntriesByName("interactive").length > 0);
  return page.evaluate((pattern) => {
    const data = performance.getEntriesByType("resource").filter(({ name }) => pattern.test(name));
    const arrived = Math.max(...data.map(({ responseEnd }) => responseEnd));
    return Math.round(performance.getEntriesByName("interactive")[0].startTime - arrived);
  }, pattern);
}

/** Scrolls 300 pixels a frame. Returns frame times in milliseconds, and how often a part of the window had no row. */
export async function scroll(page) {
  return page.evaluate(async () => {
    const frames = [];
    let empty = 0;
    const table = document.querySelector("[role=table]");
    let before = await new Promise(requestAnimationFrame);
    while (frames.length < 200) {
      scrollBy(0, 300);
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - before);
      before = now;
      // After the frame is rendered.
      await new Promise((done) => setTimeout(done));
      const { bottom, left, width } = table.getBoundingClientRect();
      for (const y of [120, innerHeight / 2]) {
        if (y < bottom && !document.elementFromPoint(left + width / 2, y)?.closest("[data-index]")) empty += 1;
      }
    }
    frames.sort((one, other) => one - other);
    const at = (share) => Math.round(frames[Math.ceil(frames.length * share) - 1]);
    return { median: at(0.5), p95: at(0.95), longest: at(1), empty };
  });
}
