// The file of accepted annotations: one line of JSON each, on the disk before the sender hears of it.
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";

export class Ledger {
  #file;
  #path;
  #length = 0;

  constructor(path) {
    this.#path = path;
    // "a+" creates the file and appends; what two processes would write does not overwrite each other.
    this.#file = openSync(path, "a+");
  }

  /** The annotations of earlier runs. An unfinished last line was never answered for: it is cut off. */
  read() {
    const text = readFileSync(this.#path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    this.#cut(Buffer.byteLength(whole));
    return whole
      .split("\n")
      .slice(0, -1)
      .map((line, index) => {
        try {
          return JSON.parse(line);
        } catch {
          throw new Error(`${this.#path}, line ${index + 1} is not JSON. Name another file, or mend that line.`);
        }
      });
  }

  /** Writes synchronously, so that lines stand in the order of the ids. A line that fails leaves nothing behind. */
  append(annotation) {
    const line = Buffer.from(`${JSON.stringify(annotation)}\n`);
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
      fsyncSync(this.#file);
    } catch (error) {
      this.#cut(this.#length);
      throw error;
    }
    this.#length += line.length;
  }

  clear() {
    this.#cut(0);
  }

  close() {
    closeSync(this.#file);
  }

  #cut(length) {
    ftruncateSync(this.#file, length);
    fsyncSync(this.#file);
    this.#length = length;
  }
}
