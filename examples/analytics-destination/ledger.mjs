// The file of accepted annotations: one line of JSON each, synced to disk before the response is sent.
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";

export class Ledger {
  #file;
  #path;
  #length = 0;

  constructor(path) {
    this.#path = path;
    // "a+" creates the file and appends, so that two processes would not overwrite each other's lines.
    this.#file = openSync(path, "a+");
  }

  /** The annotations of earlier runs. Removes an incomplete last line, which was never acknowledged. */
  read() {
    const text = readFileSync(this.#path, "utf8");
    const complete = text.slice(0, text.lastIndexOf("\n") + 1);
    this.#truncate(Buffer.byteLength(complete));
    return complete
      .split("\n")
      .slice(0, -1)
      .map((line, index) => {
        try {
          return JSON.parse(line);
        } catch {
          throw new Error(`${this.#path}, line ${index + 1} is not JSON. Fix that line or use another file.`);
        }
      });
  }

  /** Writes synchronously, so that lines are in the order of the ids. If it fails, it leaves no partial line. */
  append(annotation) {
    const line = Buffer.from(`${JSON.stringify(annotation)}\n`);
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
      fsyncSync(this.#file);
    } catch (error) {
      this.#truncate(this.#length);
      throw error;
    }
    this.#length += line.length;
  }

  clear() {
    this.#truncate(0);
  }

  close() {
    closeSync(this.#file);
  }

  #truncate(length) {
    ftruncateSync(this.#file, length);
    fsyncSync(this.#file);
    this.#length = length;
  }
}
