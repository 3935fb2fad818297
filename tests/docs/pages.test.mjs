// The guide as a whole: its list of pages, its links, its pictures, and the names of controls and of other SDKs' counterparts.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { pages } from "../support/docs/blocks.mjs";

const GUIDE = "docs/guide";
const listed = JSON.parse(await readFile(join(root, GUIDE, "pages.json"), "utf8"));
const read = (page) => readFile(join(root, page), "utf8");

/** All pictures together. */
const MAX_PICTURES_BYTES = 2_500_000;

/** The text without its code blocks. */
const prose = (text) => text.replaceAll(/^```[\s\S]*?^```$/gm, "");

/** The anchors of a page's headings, as they are made of them where the page is shown. */
function anchors(text) {
  const headings = prose(text).matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("pages.json lists each page of the guide once, with its title", async () => {
  const files = (await readdir(join(root, GUIDE), { recursive: true })).filter((name) => name.endsWith(".md"));
  assert.deepEqual(
    listed
      .map(({ file }) => file)
      .filter((file) => !file.startsWith("../"))
      .sort(),
    files.sort(),
  );
  for (const { file, title, section } of listed) {
    assert.ok(section, file);
    assert.equal((await read(join(GUIDE, file))).split("\n")[0], `# ${title}`);
  }
});

test("every link to a file or a heading has a target", async () => {
  let links = 0;
  for (const page of await pages()) {
    for (const [, to] of prose(await read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(to)) continue;
      links += 1;
      const [file, anchor] = to.split("#");
      const path = file === "" ? page : normalize(join(dirname(page), file));
      assert.ok(existsSync(join(root, path)), `${page} links to ${to}`);
      if (anchor) assert.ok(anchors(await read(path)).includes(anchor), `${page} links to ${to}`);
    }
  }
  assert.ok(links > 50, `${links} links`);
});

/** Pages of the administration pages' guide. */
const tasks = listed.map(({ file }) => join(GUIDE, file)).filter((page) => page.startsWith(`${GUIDE}/pages/`));

test("each control that the guide to the administration pages names is on these pages", async () => {
  const sources = (await readdir(join(root, "js", "admin"), { recursive: true })).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const texts = await Promise.all(sources.map((name) => read(join("js", "admin", name))));
  const all = texts.join("\n");
  for (const page of tasks) {
    const found = (await read(page)).matchAll(/\*\*([^*]+)\*\*/g);
    const names = Array.from(found, ([, name]) => name.replaceAll(/\s+/g, " "));
    assert.ok(names.length > 0, page);
    // A label in quotes or between tags.
    for (const name of names) assert.match(all, new RegExp(`["'>\\s]${name}["'<\\s]`), `${page}: ${name}`);
  }
});

test("each page about a task has a picture with a description, and no picture is unused or too large", async () => {
  const folder = join("docs", "pictures");
  const files = await readdir(join(root, folder));
  const texts = new Map(await Promise.all([...(await pages())].map(async (page) => [page, await read(page)])));
  const used = [...texts].flatMap(([page, text]) =>
    Array.from(text.matchAll(/!\[([^\]]*)\]\((\S*pictures\/([\w-]+\.webp))/g), ([, description, , file]) => ({
      page,
      description,
      file,
    })),
  );
  for (const page of tasks) assert.equal(used.filter((one) => one.page === page).length, 1, page);
  for (const { page, description } of used) assert.ok(description.length > 40, `${page}: ${description}`);
  assert.deepEqual([...new Set(used.map(({ file }) => file))].sort(), files.sort());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(root, folder, file))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= MAX_PICTURES_BYTES, `${total} bytes`);
});

test("each diagram has a wide and a narrow drawing, with the same words and the same style", async () => {
  const files = await readdir(join(root, "docs", "diagrams"));
  const wide = files.filter((name) => !name.endsWith("-narrow.svg"));
  assert.ok(wide.length >= 3);
  const styles = new Set();
  for (const name of wide) {
    const drawings = await Promise.all(
      [name, name.replace(".svg", "-narrow.svg")].map((one) => read(join("docs", "diagrams", one))),
    );
    for (const drawing of drawings) styles.add(drawing.match(/<style>[\s\S]*<\/style>/)[0]);
    const [titles, narrow] = drawings.map((drawing) =>
      Array.from(drawing.matchAll(/class="title[^>]*>([^<]*)/g), ([, title]) => title),
    );
    assert.deepEqual(narrow.sort(), titles.sort(), name);
  }
  assert.equal(styles.size, 1);
});

test("every counterpart that the migration page names exists", async () => {
  const types = await read("js/browser/public.d.ts");
  const rows = (await read(join(GUIDE, "migration.md"))).split("\n").filter((line) => /^\| .* \| .* \|$/.test(line));
  let names = 0;
  for (const here of rows.map((row) => row.split(" | ").at(-1))) {
    for (const [, code] of here.matchAll(/`([^`]+)`/g)) {
      // Members that are called, settings, names of events.
      for (const [name] of code.matchAll(/\b[a-zA-Z][\w]*(?=\()|^[a-zA-Z]\w*$|\b[A-Z][A-Z_]{2,}\b/g)) {
        names += 1;
        assert.match(types, new RegExp(`\\b${name}\\b`), `${code} in ${here}`);
      }
    }
  }
  assert.ok(names > 80, `${names} names`);
});
