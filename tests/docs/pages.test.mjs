// The guide as a whole: its list of pages, its links, and the names of other SDKs' counterparts.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { pages } from "../support/docs/blocks.mjs";

const GUIDE = "docs/guide";
const listed = JSON.parse(await readFile(join(root, GUIDE, "pages.json"), "utf8"));
const read = (page) => readFile(join(root, page), "utf8");

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
  const files = (await readdir(join(root, GUIDE))).filter((name) => name.endsWith(".md"));
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
