// The last known rules in a file. It is replaced atomically, and ignored when it is damaged or belongs to another key.

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { parseRules, type RulesMessage } from "./rules.js";

const FORMAT = "flagservice-rules 1";

/** A file of rules. */
export class PersistedRules {
  private readonly _file: string;
  private readonly _keyDigest: string;
  private readonly _onError: (error: unknown) => void;
  private _next: (() => string) | undefined;
  private _writing: Promise<void> | undefined;

  constructor(file: string, serverKey: string, onError: (error: unknown) => void) {
    this._file = file;
    // Enough to tell keys apart, but not to recover the key.
    this._keyDigest = digest(`${FORMAT} ${serverKey}`).slice(0, 16);
    this._onError = onError;
  }

  /** The rules in the file; undefined unless it is intact and belongs to this key. */
  read(): RulesMessage | undefined {
    try {
      const text = readFileSync(this._file, "utf8");
      const end = text.indexOf("\n");
      const rules = text.slice(end + 1);
      return text.slice(0, end) === this._header(rules) ? parseRules(rules) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Queues a write. `rules` is called when the write starts. */
  write(rules: () => string): void {
    this._next = rules;
    this._writing ??= this._writeAll().finally(() => {
      this._writing = undefined;
    });
  }

  /** Resolves when nothing is left to write. */
  async saved(): Promise<void> {
    await this._writing;
  }

  private async _writeAll(): Promise<void> {
    const temporary = `${this._file}.${randomUUID()}.tmp`;
    while (this._next) {
      const rules = this._next();
      this._next = undefined;
      try {
        await writeFile(temporary, `${this._header(rules)}\n${rules}`, { mode: 0o600, flush: true });
        await rename(temporary, this._file);
      } catch (error) {
        this._onError(error);
        await rm(temporary, { force: true }).catch(() => {});
      }
    }
  }

  private _header(rules: string): string {
    return `${FORMAT} ${this._keyDigest} ${digest(rules)}`;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
