// The documentation that the server serves, by HTTP and in Chromium: pages, links, and the contents of the references.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, posix } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "../../scripts/setup.mjs";
import { axeFindsNothing, nothingMoved, startAdmin } from "../support/admin/admin.mjs";

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1440, height: 900 };
const ASK_AS_BROWSER = { headers: { accept: "text/html,*/*;q=0.8" } };

/** Package → its type declarations. */
const TYPES = {
  "flagservice-client": ["js/browser/public.d.ts", "js/browser/script.d.ts"],
  "react-flagservice-client": ["js/react/public.d.ts"],
  "flagservice-node-sdk": ["js/node/public.d.ts"],
  "flagservice-openfeature-web": ["js/openfeature/public-web.d.ts"],
  "flagservice-openfeature-server": ["js/openfeature/public-server.d.ts"],
};

let admin;
/** Address → title, in the order of the navigation. */
let navigation;
/** Address → HTML of every linked page. */
let pages;

before(async () => {
  admin = await startAdmin();
  pages = await crawl("/docs/");
  navigation = new Map(
    [
      ...between(pages.get("/docs/"), '<nav class="navigation"', "</nav>").matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g),
    ].map(([, address, title]) => [address, title]),
  );
});
afterEach(() => admin.endTest());
after(() => admin.close());

function get(address, options = ASK_AS_BROWSER) {
  return fetch(`${admin.service.base}${address}`, options);
}

/** Fetches a page of the documentation and, recursively, every page that it links to. */
async function crawl(first) {
  const found = new Map();
  const waiting = [first];
  while (waiting.length > 0) {
    const address = waiting.pop();
    if (found.has(address)) continue;
    const answer = await get(address);
    assert.equal(answer.status, 200, address);
    found.set(address, await answer.text());
    const onward = hrefs(found.get(address)).map(({ path }) => path);
    waiting.push(...onward.filter((path) => path.startsWith("/docs/") && path.endsWith("/")));
  }
  return found;
}

/** The links of a page to the same server: `{ path, fragment }`. */
function hrefs(html) {
  const all = [...html.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, href]) => href);
  const here = all.filter((href) => !/^[a-z]+:/.test(href));
  return here.map((href) => {
    const [path, fragment] = href.split("#");
    return { path, fragment };
  });
}

function between(text, start, end) {
  const from = text.indexOf(start);
  return text.slice(from, text.indexOf(end, from));
}

function texts(html, pattern) {
  return [...html.matchAll(pattern)].map(([, inside]) => inside.replace(/<[^>]*>/g, "").trim());
}

test("the navigation lists every written page and the reference of each package and resource", () => {
  for (const { file, title, address } of writtenPages()) {
    assert.equal(navigation.get(address), title, file);
    const [heading] = readFileSync(join(root, "docs", "guide", file), "utf8").split("\n");
    const [shown] = texts(pages.get(address), /<h1>([\s\S]*?)<\/h1>/g);
    assert.equal(`# ${shown}`, heading.replaceAll("`", ""), file);
  }
  for (const name of Object.keys(TYPES)) assert.equal(navigation.get(`/docs/packages/${name}/`), name);
  const { paths } = openapi();
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  for (const tag of tags) assert.ok([...navigation.values()].includes(tag), tag);
  assert.deepEqual([...pages.keys()].sort(), ["/docs/", ...navigation.keys()].sort());
});

/** The written pages in the navigation: `{ file, title, address }`. */
function writtenPages() {
  const listed = JSON.parse(readFileSync(join(root, "docs", "guide", "pages.json"), "utf8"));
  return listed.map(({ file, title }) => ({ file, title, address: `/docs/${posix.basename(file, ".md")}/` }));
}

test("every page has one title, is marked in the navigation, and fits on a phone", async () => {
  const page = await admin.open(NARROW);
  for (const address of pages.keys()) {
    await page.goto(address);
    const [title] = await page.getByRole("heading", { level: 1 }).allTextContents();
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, address);
    const whole = address === "/docs/" ? "Flag Service documentation" : `${title} · Flag Service`;
    assert.equal(await page.title(), whole);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), NARROW.width, address);
    if (address === "/docs/") continue;
    const current = page.locator("#navigation [aria-current=page]");
    assert.deepEqual(await current.allTextContents(), [navigation.get(address)]);
  }
});

test("no link of the documentation is broken", async () => {
  const ids = new Map([...pages].map(([address, html]) => [address, new Set(texts(html, /\bid="([^"]+)"/g))]));
  const elsewhere = new Set();
  let followed = 0;
  for (const [address, html] of pages) {
    for (const { path, fragment } of hrefs(html)) {
      const target = path || address;
      followed += 1;
      if (!pages.has(target)) elsewhere.add(target);
      else if (fragment)
        assert.ok(ids.get(target).has(decodeURIComponent(fragment)), `${address} → ${path}#${fragment}`);
    }
  }
  for (const path of elsewhere) assert.equal((await get(path)).status, 200, path);
  assert.ok(followed > pages.size * navigation.size, "Each page has at least the navigation's links.");
});

test("every exported name of each package is on its page, with all its methods", async () => {
  for (const [name, files] of Object.entries(TYPES)) {
    const html = pages.get(`/docs/packages/${name}/`);
    const source = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
    const declared = texts(source, /^export (?:declare )?(?:interface|type|function|const|class) (\w+)/gm);
    const again = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list.match(/\w+/g));
    assert.ok(declared.length > 0, name);
    for (const one of declared) assert.match(html, new RegExp(`<h3 id="${one}">${one} `), `${name}: ${one}`);
    for (const one of again)
      assert.match(html, new RegExp(`<a href="/docs/packages/[^"]+#${one}"><code>${one}</code>`), `${name}: ${one}`);
    const headings = texts(html, /<section class="export">\s*<h3 id="(?:global\.)?([^"]+)"/g);
    assert.deepEqual(
      [...new Set(headings)].sort(),
      [...new Set(declared), ...globals(source)].sort().filter(unique),
      name,
    );
  }
  for (const name of ["flagservice-client", "flagservice-node-sdk"]) {
    const { FlagService } = await import(join(root, "dist", name, "dist", "index.mjs"));
    const client = FlagService.init("any-key", name === "flagservice-client" ? null : { offline: true });
    const called = [...Object.keys(client), ...Object.getOwnPropertyNames(Object.getPrototypeOf(client))];
    const methods = called.filter((one) => typeof client[one] === "function" && one in client && /^[a-z]/.test(one));
    client.close();
    const page = pages.get(`/docs/packages/${name}/`);
    const known = methods.filter((one) => one !== "constructor" && !(one in Object.prototype));
    assert.ok(known.length >= 7, `${name}: ${known}`);
    for (const one of known) assert.ok(page.includes(`id="Client.${one}"`), `${name}: ${one}`);
    for (const one of Object.keys(FlagService))
      assert.ok(page.includes(`id="FlagServiceStatic.${one}"`), `${name}: ${one}`);
  }
});

function unique(one, index, all) {
  return all.indexOf(one) === index;
}

/** Globals that a script tag defines. */
function globals(source) {
  return texts(source, /^ {2}var (\w+):/gm);
}

test("each package's page installs what the build makes, and no page installs ours from a registry", () => {
  for (const name of Object.keys(TYPES)) {
    const code = texts(pages.get(`/docs/packages/${name}/`), /<pre[^>]*>([\s\S]*?)<\/pre>/g).map(unescaped);
    const pack = code.find((text) => text.includes("npm pack "));
    const install = code.find((text) => text.startsWith("npm install "));
    const packed = [...pack.matchAll(/ \.\/dist\/(\S+)/g)].map(([, folder]) => folder);
    assert.equal(packed[0], name);
    const read = (folder) => JSON.parse(readFileSync(join(root, "dist", folder, "package.json"), "utf8"));
    const needed = Object.keys(read(name).peerDependencies ?? {}).filter((peer) => peer in TYPES);
    assert.deepEqual(packed.slice(1), needed, name);
    const files = packed.map((folder) => `"$HOME/${folder}-${read(folder).version}.tgz"`);
    assert.equal(install, `npm install ${files.join(" ")}`);
  }
  for (const [address, html] of pages) {
    const [, wrong] =
      unescaped(html.replace(/<[^>]*>/g, "")).match(/npm install ((?!"\$HOME)[^\n]*flagservice[^\n]*)/) ?? [];
    assert.equal(wrong, undefined, address);
  }
});

function unescaped(text) {
  const characters = { quot: '"', "#x27": "'", lt: "<", gt: ">", amp: "&" };
  return text.replace(/&(quot|#x27|lt|gt|amp);/g, (_, name) => characters[name]);
}

test("every operation of the OpenAPI document is on its resource's page, with the permissions it needs", () => {
  const { paths } = openapi();
  const wanted = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { tags }] of Object.entries(item)) {
      const address = [...navigation].find(
        ([address, title]) => address.startsWith("/docs/rest/") && title === tags[0],
      )[0];
      wanted.push(`${address} ${method.toUpperCase()} ${path}`);
    }
  }
  const shown = [...pages].flatMap(([address, html]) =>
    texts(html, /<p class="request">([\s\S]*?)<\/p>/g).map((request) => `${address} ${request}`),
  );
  assert.ok(wanted.length > 60);
  assert.deepEqual(shown.sort(), wanted.sort());
  const callers = [...pages.values()].flatMap((html) => texts(html, /<p class="permissions">([\s\S]*?)<\/p>/g));
  assert.equal(callers.length, wanted.length);
  for (const caller of callers) assert.match(caller, /^Permissions .*(token|administrators)\b/i);
});

function openapi() {
  return JSON.parse(readFileSync(join(root, "docs", "openapi.json"), "utf8"));
}

test("every schema of the OpenAPI document except lists is on the page of schemas", () => {
  const names = Object.keys(openapi().components.schemas).filter((name) => !name.startsWith("List_"));
  const shown = texts(pages.get("/docs/rest/schemas/"), /<section class="schema">\s*<h2 id="([^"]+)"/g);
  assert.deepEqual(shown, names);
});

test("every page has a policy without unsafe-inline, and an unchanged page is not sent again", async () => {
  for (const address of pages.keys()) {
    const first = await get(address);
    const policy = first.headers.get("content-security-policy");
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|nonce/);
    const again = await get(address, { headers: { "if-none-match": first.headers.get("etag") } });
    assert.equal(again.status, 304, address);
    assert.equal(await again.text(), "");
    const head = await get(address, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("etag"), await head.text()], [200, first.headers.get("etag"), ""]);
  }
});

test("an unknown address shows that the page was not found, with a link back", async () => {
  const page = await admin.open(WIDE);
  const answer = await page.goto("/docs/nothing-like-it/");
  assert.equal(answer.status(), 404);
  page.wrongs.splice(0);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  await axeFindsNothing(page);
  await page.getByRole("link", { name: "home page" }).click();
  await page.waitForURL("**/docs/");
  const problem = await get("/docs/nothing-like-it/", { headers: { accept: "application/json" } });
  assert.deepEqual([problem.status, problem.headers.get("content-type")], [404, "application/problem+json"]);
});

test("the first page has a picture, an example for a page, React and Node.js, and links to the guides", async () => {
  const page = await admin.open(WIDE);
  await page.goto("/docs/");
  const main = page.getByRole("main");
  assert.deepEqual(await main.getByRole("tab").allTextContents(), ["Page", "React", "Node.js"]);
  const picture = main.getByRole("img").first();
  assert.match(await picture.getAttribute("alt"), /^The list of features/);
  assert.ok(await picture.evaluate(async (image) => (await image.decode()) ?? image.naturalWidth > 1000));
  const links = await main.getByRole("listitem").getByRole("link").allTextContents();
  assert.ok(links.length >= 6 && links[0] === "Quick start", links.join());
});

test("tabs work by keyboard, in all groups at once, and the choice is kept on other pages, where nothing moves", async () => {
  const page = await admin.open(WIDE);
  await page.goto("/docs/concepts/");
  const groups = page.locator(".tabs");
  const selected = (index) => groups.nth(index).getByRole("tab", { selected: true }).textContent();
  const panels = (index) => groups.nth(index).getByRole("tabpanel");
  const press = async (key) => {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => document.activeElement.textContent);
    assert.equal(await selected(0), focused);
    assert.equal(await panels(0).count(), 1);
    assert.equal(
      await panels(0)
        .and(page.getByRole("tabpanel", { name: focused }))
        .count(),
      1,
    );
    return focused;
  };
  await groups.first().getByRole("tab", { name: "Page" }).focus();
  assert.equal(await selected(0), "Page");
  const pressed = [];
  for (const key of ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "ArrowRight"])
    pressed.push(await press(key));
  assert.deepEqual(pressed, ["React", "curl", "Page", "curl", "Page", "React"]);
  assert.deepEqual([await selected(1), await panels(1).count()], ["React", 1]);
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.closest("[role=tabpanel]")));
  await axeFindsNothing(page, ["light"]);

  await page.goto("/docs/testing/");
  assert.equal(await selected(0), "React");
  await nothingMoved(page);
  // Where a group above changes its height, a selected tab stays where it was.
  await page.goto("/docs/concepts/");
  const tab = groups.nth(1).getByRole("tab", { name: "curl" });
  await tab.scrollIntoViewIfNeeded();
  const before = await tab.boundingBox();
  await tab.click();
  assert.ok(Math.abs((await tab.boundingBox()).y - before.y) < 1);
  // A group without the chosen variant shows its first.
  await page.goto("/docs/quick-start/");
  assert.deepEqual([await selected(0), await panels(0).count()], ["Page", 1]);
});

test("without JavaScript all variants are visible, each below its name", async () => {
  const page = await admin.open({ ...WIDE, javaScriptEnabled: false });
  await page.goto("/docs/");
  assert.equal(await page.getByRole("tab").count(), 0);
  const main = page.getByRole("main");
  for (const name of ["Page", "React", "Node.js"])
    await main.locator("strong").getByText(name, { exact: true }).waitFor();
  for (const code of ["FlagService.init(", "FlagServiceProvider apiKey", "flags.ready()"])
    await main.locator("pre").filter({ hasText: code }).first().waitFor();
});

for (const [name, size] of Object.entries({ narrow: NARROW, wide: WIDE })) {
  test(`on a ${name} page each diagram has a description, and its words are large enough and inside it`, async () => {
    const page = await admin.open(size);
    await page.goto("/docs/how-it-works/");
    const diagrams = page.getByRole("main").getByRole("img");
    assert.equal(await diagrams.count(), 3);
    for (const diagram of await diagrams.all()) {
      assert.ok((await diagram.getAttribute("aria-label")).length > 100);
      const words = await diagram.evaluate((svg) => {
        const frame = svg.getBoundingClientRect();
        const scale = frame.width / svg.viewBox.baseVal.width;
        return [...svg.querySelectorAll("text")].map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          const inside = left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
          return { text: text.textContent, inside, size: scale * Number.parseFloat(getComputedStyle(text).fontSize) };
        });
      });
      assert.deepEqual(
        words.filter(({ inside, size }) => !inside || size < 12),
        [],
      );
    }
  });
}

test("each operation has a folded example for curl and JavaScript, and the language is chosen for all of them", async () => {
  const page = await admin.open(WIDE);
  await page.goto("/docs/rest/targeting/");
  const examples = page.locator("details.example");
  assert.equal(await examples.count(), await page.locator(".operation").count());
  assert.equal(await page.getByRole("tab").count(), 0);
  await examples.first().getByText("Example request").click();
  await examples.first().getByRole("tab", { name: "JavaScript" }).click();
  await examples.nth(1).getByText("Example request").click();
  assert.match(await examples.nth(1).getByRole("tabpanel", { name: "JavaScript" }).textContent(), /await fetch/);
});

for (const [name, size] of Object.entries({ narrow: NARROW, wide: WIDE })) {
  test(`axe finds nothing on a ${name} page, in light and dark mode`, async () => {
    const page = await admin.open(size);
    // All written pages, and one of each generated kind. Pages about a task have the same parts: one of them.
    const alike = writtenPages().filter(({ file }) => file.startsWith("pages/"));
    const leftOut = new Set(alike.slice(1).map(({ address }) => address));
    const written = [...navigation.keys()].filter(
      (address) => !/^\/docs\/(packages|rest)\//.test(address) && !leftOut.has(address),
    );
    const made = ["/docs/packages/react-flagservice-client/", "/docs/rest/", "/docs/rest/targeting/"];
    assert.ok(written.length >= 3 && made.every((address) => pages.has(address)));
    // Written pages differ in their text: the colours, and what a wide page adds, are those of the first.
    const kinds = ["/docs/", written[0], ...made];
    for (const address of ["/docs/", ...written, ...made]) {
      await page.goto(address);
      await page.evaluate(() => document.querySelector("details")?.setAttribute("open", ""));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, address);
      if (kinds.includes(address)) await axeFindsNothing(page);
      else if (size === NARROW) await axeFindsNothing(page, ["light"]);
    }
  });
}

test("the text of a wide page stays in place when the end of the page arrives", async (t) => {
  const address = "/docs/testing/";
  const html = pages.get(address);
  const cut = html.indexOf("</article>");
  let sendRest;
  const server = createServer(async (request, response) => {
    if (request.url === address) {
      response.writeHead(200, { "content-type": "text/html" });
      sendRest = () => response.end(html.slice(cut));
      return response.write(html.slice(0, cut));
    }
    const answer = await get(request.url);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const page = await admin.open(WIDE);
  await page.goto(`http://127.0.0.1:${server.address().port}${address}`, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const title = page.getByRole("heading", { level: 1 });
  const { x } = await title.boundingBox();
  sendRest();
  await page.getByRole("navigation", { name: "On this page" }).waitFor();
  assert.equal((await title.boundingBox()).x, x);
});

/** Opens a page with the search box, by the key that focuses it. */
async function openSearch(address, size) {
  const page = await admin.open(size);
  await page.goto(address);
  const box = page.getByRole("combobox", { name: "Search the documentation" });
  await box.waitFor();
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement.getAttribute("role") === "combobox");
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  const search = async (words) => {
    await box.fill("");
    await box.fill(words);
    await page.waitForFunction(() => document.querySelector(".search [role=status]").textContent !== "");
  };
  return { page, box, options, search };
}

for (const [name, size] of Object.entries({ narrow: NARROW, wide: WIDE })) {
  test(`on a ${name} page the search finds headings and text of all pages, by keyboard`, async () => {
    const { page, box, options, search } = await openSearch("/docs/backup/", size);
    await search("break");
    assert.equal(await box.getAttribute("aria-expanded"), "true");
    const active = () => page.locator(`[id="${page.active}"]`);
    const select = async (key) => {
      await page.keyboard.press(key);
      page.active = await box.getAttribute("aria-activedescendant");
      assert.equal(await active().getAttribute("aria-selected"), "true");
      return options.evaluateAll((all) => all.findIndex((one) => one.ariaSelected === "true"));
    };
    const last = (await options.count()) - 1;
    assert.ok(last > 1);
    assert.deepEqual([await select("ArrowDown"), await select("ArrowUp"), await select("ArrowUp")], [1, 0, last]);
    await axeFindsNothing(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await page.keyboard.press("Escape");
    assert.equal(await box.getAttribute("aria-expanded"), "false");
    assert.equal(await box.inputValue(), "break");
    await page.keyboard.press("Escape");
    assert.equal(await box.inputValue(), "");

    // In no heading.
    await search("linear time");
    assert.equal(await options.first().locator(".result-page").textContent(), "Concepts");
    assert.deepEqual(await options.first().locator("mark").allTextContents(), ["linear", "time"]);
    const target = await options.first().getAttribute("href");
    assert.equal(target, "/docs/concepts/#conditions-and-operators");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${target}`);
  });
}

test("the search says that nothing was found, finds words with a typing error, and goes to a heading of the same page", async () => {
  const { page, box, options, search } = await openSearch("/docs/concepts/", WIDE);
  await search("xyzzyq");
  assert.equal(await options.count(), 0);
  await page.getByRole("status").getByText("No section has all these words.").waitFor({ state: "attached" });
  await axeFindsNothing(page);
  // The guide comes before the references, also where its heading has the word in the plural.
  await search("audience");
  assert.deepEqual(await options.evaluateAll((all) => all.slice(0, 2).map((one) => one.getAttribute("href"))), [
    "/docs/audiences/",
    "/docs/concepts/#audiences",
  ]);
  await search("enviroment");
  assert.ok((await options.count()) > 3);
  await search("saved audiences");
  const here = page.locator('[role=option][href^="/docs/concepts/#"]').first();
  const target = await here.getAttribute("href");
  await here.click();
  await page.waitForURL(`**${target}`);
  assert.deepEqual([await box.inputValue(), await options.first().isVisible()], ["", false]);
  // In a text field "/" is a character.
  await box.fill("a");
  await page.keyboard.press("End");
  await page.keyboard.type("/");
  assert.equal(await box.inputValue(), "a/");
});

test("each page is also Markdown with the same headings and code, and llms.txt lists all of them", async () => {
  const markdown = (address) => address.replace(/\/$/, ".md");
  const list = await (await get("/docs/llms.txt", {})).text();
  const listed = [...list.matchAll(/^- \[(.+?)\]\((\S+?)\)/gm)].map(([, title, address]) => [address, title]);
  assert.deepEqual(
    listed,
    [...navigation].map(([address, title]) => [markdown(address), unescaped(title)]),
  );
  for (const address of navigation.keys()) {
    const html = pages.get(address);
    assert.ok(html.includes(`<link rel="alternate" type="text/markdown" href="${markdown(address)}">`), address);
    const answer = await get(markdown(address), {});
    assert.equal(answer.headers.get("content-type"), "text/markdown; charset=utf-8", address);
    const text = await answer.text();
    const article = between(html, "<article>", "</article>");
    const written = (part) => unescaped(part.replace(/<[^>]*>/g, ""));
    const blocks = [...article.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, code]) => written(code));
    // In a list it is indented.
    const lines = new Set(text.split("\n").map((line) => line.trim()));
    for (const line of blocks.flatMap((code) => code.split("\n")))
      assert.ok(lines.has(line.trim()), `${address}: ${line}`);
    const titles = text.match(/^#{1,6} .*$/gm).map((line) => line.replace(/^#+ |[`*]| \(\w+\)$/g, ""));
    for (const [, title] of article.matchAll(/<h[1-6][^>]*>([\s\S]*?)(?: <span| <a class="anchor"|<\/h)/g))
      assert.ok(titles.includes(written(title).replace(/[`*]/g, "")), `${address}: ${title}`);
    for (const [, to] of text.matchAll(/\]\((\/docs\/[^)#\s]+)/g))
      assert.ok(
        /^\/docs\/(api\/?$|assets\/)/.test(to) || listed.some(([one]) => one === to),
        `${address} links to ${to}`,
      );
    assert.doesNotMatch(
      text.replace(/^ *```[\s\S]*?^ *```$|`[^`\n]*`/gm, ""),
      /<\/?(?:span|div|a|p|code)\b|&(?:lt|quot|#)/,
      address,
    );
  }
});

test("without JavaScript there is no search box", async () => {
  const page = await admin.open({ ...WIDE, javaScriptEnabled: false });
  await page.goto("/docs/");
  assert.equal(await page.getByRole("combobox").count(), 0);
});

/** Largest size of what is transferred when the search is first used: the text of all sections, and the search. */
const SEARCH_GZIP_BYTES = 95_000;

test("the search finds every heading, type and member of every page by its words, and its file stays small", async () => {
  const [, address] = pages.get("/docs/").match(/data-search="([^"]+)"/);
  const file = Buffer.from(await (await get(address)).arrayBuffer());
  assert.ok(gzipSync(file).length <= SEARCH_GZIP_BYTES, `${gzipSync(file).length} bytes`);
  const { search } = await import(`data:text/javascript;base64,${file.toString("base64")}`);
  const missing = [];
  let searched = 0;
  for (const [page, html] of pages) {
    if (page === "/docs/") continue;
    const article = between(html, "<article>", "</article>");
    const headings = [...article.matchAll(/<h[23] id="([^"]+)">([\s\S]*?) <a class="anchor"/g)];
    const members = [...article.matchAll(/<div class="member" id="([^"]+)">/g)];
    for (const [, id, words = id] of [...headings, ...members]) {
      // Each operation has these.
      if (page.startsWith("/docs/rest/") && /-(parameters|body|response)$/.test(id)) continue;
      searched += 1;
      const query = unescaped(words.replace(/<span class="kind">.*?<\/span>|<[^>]*>/g, ""));
      const found = search(`${query} ${navigation.get(page)}`).map(({ address }) => address);
      if (!found.includes(`${page}#${encodeURIComponent(unescaped(id))}`)) missing.push(`${page}#${id}: ${query}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(searched > 300, `${searched} headings`);
});

test("the viewer of the OpenAPI document works under its Content-Security-Policy", async () => {
  const page = await admin.open(WIDE);
  await page.goto("/docs/api/");
  const operation = page.getByRole("button", { name: /^get \/api\/v1\/projects$/i });
  await operation.first().click();
  await page.getByText("Parameters").first().waitFor();
});

test("on a narrow page the menu opens the navigation by keyboard, without JavaScript", async () => {
  const page = await admin.open({ ...NARROW, javaScriptEnabled: false });
  await page.goto("/docs/");
  const navigation = page.getByRole("navigation", { name: "Documentation" });
  assert.equal(await navigation.count(), 0);
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await navigation.waitFor();
  await page.keyboard.press("Escape");
  await navigation.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await navigation.getByRole("link", { name: "Operating the server" }).click();
  await page.waitForURL("**/docs/operation/");
  await page.getByRole("heading", { level: 1, name: "Operating the server" }).waitFor();
});

test("keyboard users can skip to the content, and code can be copied", async () => {
  const page = await admin.open(WIDE);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/packages/flagservice-client/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.localName === "main");
  const copy = page.getByRole("button", { name: "Copy" }).first();
  // It says so for two seconds.
  await copy.evaluate((button) => {
    new MutationObserver(() => {
      window.hasSaidCopied ||= button.textContent === "Copied";
    }).observe(button, { childList: true });
  });
  await copy.click();
  await page.waitForFunction(() => window.hasSaidCopied);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, 'npm run build\nnpm pack ./dist/flagservice-client --pack-destination "$HOME"');
});
