// Compresses the built assets of a site once, so that the server needs not do it for each request, and smaller.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** What compresses well. Typefaces and pictures are compressed already. */
const TEXT = /\.(css|js|svg)$/;

/** Writes `<name>.br` beside each text file of the folder that becomes smaller. */
export async function precompress(folder) {
  const names = (await readdir(folder)).filter((name) => TEXT.test(name));
  const write = async (name) => {
    const content = await readFile(join(folder, name));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    const compressed = await compress(content, { params });
    if (compressed.length < content.length) await writeFile(join(folder, `${name}.br`), compressed);
  };
  await Promise.all(names.map(write));
}
