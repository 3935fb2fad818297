// Turns pictures into WebP, which the browser does that takes them.

/** A pixel of text is exact enough, at a quarter of the size of PNG. */
const QUALITY = 0.9;

export class WebpEncoder {
  #page;

  /** `page` is an empty page of its own. */
  constructor(page) {
    this.#page = page;
  }

  /** A PNG picture as WebP, at most `width` pixels wide. */
  async encode(png, width) {
    const encoded = await this.#page.evaluate(inPage, { png: png.toString("base64"), width, quality: QUALITY });
    return Buffer.from(encoded, "base64");
  }

  async close() {
    await this.#page.context().close();
  }
}

async function inPage({ png, width, quality }) {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const scale = Math.min(1, width / image.width);
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  // Without transparency the file is smaller.
  const context = canvas.getContext("2d", { alpha: false });
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  const encoded = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of encoded) text += String.fromCharCode(byte);
  return btoa(text);
}
