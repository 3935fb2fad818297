// Starts the installed Chromium or Firefox under Playwright.
import { chromium, firefox } from "playwright-core";
import { ensureBrowsers } from "./setup.mjs";

/** Chromium's own background requests are off: it sends nothing that a page did not ask for. */
export const CHROMIUM_FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** V8 compiles only functions that run thousands of times, also if they were hot on earlier pages of the process. */
const LATE_COMPILATION = "--no-opt --no-profile-guided-optimization --invocation-count-for-maglev=6000";

/** For pages that live a few seconds: most scripts are interpreted, and a context has one process. */
const SHORT_LIVED_FLAGS = [
  `--js-flags=--single-threaded --max-lazy ${LATE_COMPILATION}`,
  "--renderer-process-limit=1",
  "--process-per-site",
];

/** Chromium without windows, if it is installed: it opens pages much faster. */
export async function launchChromium(flags = []) {
  const { headlessShell: executablePath } = await ensureBrowsers();
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...flags] });
}

/** The same, for tests that open many large pages and measure no speed: each page costs a fifth less. */
export function launchChromiumForPages() {
  return launchChromium(SHORT_LIVED_FLAGS);
}

/** The same with scrollbars that take up space, as most people with a mouse have them. Playwright hides them. */
export async function launchChromiumWithScrollbars() {
  const { headlessShell: executablePath } = await ensureBrowsers();
  return chromium.launch({ executablePath, args: CHROMIUM_FLAGS, ignoreDefaultArgs: ["--hide-scrollbars"] });
}

/** Chromium with a back-forward cache, as people have it. Playwright turns it off, and the headless shell has none. */
export async function launchFullChromium() {
  const { chromium: executablePath } = await ensureBrowsers();
  return chromium.launch({
    executablePath,
    args: CHROMIUM_FLAGS,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
}

/**
 * Firefox as the system installed it, over WebDriver BiDi. For each context Playwright sends a command that this Firefox does
 * not know and that no test needs: the colour scheme. We answer it here. Playwright opens each page in a window of its own. A page
 * that is alone gets a tab, which takes two thirds of the time.
 */
export async function launchFirefox() {
  const { firefox: executablePath } = await ensureBrowsers();
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath });
  const session = browser._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = async (command, parameters, ...rest) => {
    if (command === "emulation.setMediaFeaturesOverride") return {};
    if (command !== "browsingContext.create") return send(command, parameters, ...rest);
    const isAlone = browser.contexts().every((context) => context.pages().length === 0);
    return send(command, isAlone ? { ...parameters, type: "tab" } : parameters, ...rest);
  };
  return browser;
}
