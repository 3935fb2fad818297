// The last known rules in a file: written whole beside it and moved, and ignored when damaged or of another key.

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { readRules, type SentRules } from "./rules.js";

const FORMAT = "flagservice-rules 1";

/** A file of rules. */
export class KeptRules {
  private readonly _file: string;
  private readonly _key: string;
  private readonly _failed: (error: unknown) => void;
  private _next: (() => string) | undefined;
  private _writing = false;

  constructor(file: string, serverKey: string, failed: (error: unknown) => void) {
    this._file = file;
    // Enough to tell keys apart, and no way back to the key.
    this._key = digest(`${FORMAT} ${serverKey}`).slice(0, 16);
    this._failed = failed;
  }

  /** The rules in the file; nothing without a whole file of this key. */
  read(): SentRules | undefined {
    try {
      const text = readFileSync(this._file, "utf8");
      const end = text.indexOf("\n");
      const rules = text.slice(end + 1);
      return text.slice(0, end) === this._head(rules) ? readRules(rules) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes the rules, as they are when their turn comes. */
  write(rules: () => string): void {
    this._next = rules;
    if (!this._writing) void this._writeAll();
  }

  private async _writeAll(): Promise<void> {
    this._writing = true;
    const beside = `${this._file}.${randomUUID()}.tmp`;
    while (this._next) {
      const rules = this._next();
      this._next = undefined;
      try {
        await writeFile(beside, `${this._head(rules)}\n${rules}`, { mode: 0o600, flush: true });
        await rename(beside, this._file);
      } catch (error) {
        this._failed(error);
        await rm(beside, { force: true }).catch(() => {});
      }
    }
    this._writing = false;
  }

  private _head(rules: string): string {
    return `${FORMAT} ${this._key} ${digest(rules)}`;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
