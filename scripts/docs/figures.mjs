// Pictures and diagrams with captions. Diagrams are inside the page, so that they follow its colours, with a second drawing for phones.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../setup.mjs";
import { escaped } from "./code.mjs";

/** Pictures have twice the pixels, for sharp text on all screens. */
const PIXELS = 2;

/** The HTML of a picture, and for a WebP picture the address at which the site has its file. */
export function figure({ file, alt, caption }) {
  if (!alt) throw new Error(`${file} is shown without a description.`);
  const under = caption ? `<figcaption>${escaped(caption)}</figcaption>` : "";
  if (file.endsWith(".svg")) return { html: `<figure>${diagram(file, alt)}${under}</figure>\n` };
  const address = pictureAddress(file);
  const { width, height } = sizeOf(readFileSync(join(root, file)), file);
  const [shownWidth, shownHeight] = [width, height].map((pixels) => Math.round(pixels / PIXELS));
  const image = `<img src="${address}" alt="${escaped(alt)}" width="${shownWidth}" height="${shownHeight}" loading="lazy">`;
  return { html: `<figure><a href="${address}">${image}</a>${under}</figure>\n`, picture: { address, file } };
}

/** The wide drawing and the narrow one next to it, of which the style shows one. */
function diagram(file, alt) {
  const narrow = file.replace(/\.svg$/, "-narrow.svg");
  const drawings = { "diagram-wide": file, "diagram-narrow": narrow };
  const svg = Object.entries(drawings).map(([name, source]) => {
    if (!existsSync(join(root, source))) throw new Error(`${source} does not exist.`);
    const [, box, drawing] = readFileSync(join(root, source), "utf8").match(
      /viewBox="([^"]+)">[\s\S]*?<\/style>([\s\S]*)<\/svg>/,
    );
    return `<svg class="${name}" viewBox="${box}" role="img" aria-label="${escaped(alt)}">${drawing.trim()}</svg>`;
  });
  return `<div class="diagram">${svg.join("")}</div>`;
}

/** The name has a hash of the content: browsers may keep the file. */
function pictureAddress(file) {
  const hash = createHash("sha256")
    .update(readFileSync(join(root, file)))
    .digest("hex")
    .slice(0, 8);
  return `/docs/assets/${basename(file).replace(/(?=\.\w+$)/, `-${hash}`)}`;
}

/** The size in pixels of a WebP file: in the header of its extended format, or else in its picture. */
function sizeOf(bytes, file) {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  throw new Error(`${file} is not a WebP picture as tests/screenshots/webp.mjs makes it.`);
}
