// Goals on their way to the service: sent at once, several together, and again after a failure.

import { randomUUID } from "node:crypto";
import { backoff } from "./backoff.js";
import type { Logger } from "./public.js";
import { Refused, type Service } from "./service.js";

/** What a request takes. */
const MOST_AT_ONCE = 100;
const MOST_BYTES = 60_000;
/** How many wait at most: the oldest give way. */
const MOST_WAITING = 10_000;
/** How long a client that is closed may take with them. */
const CLOSING_MS = 3_000;

/** Sends goals. */
export class Goals {
  private readonly _service: Service;
  private readonly _logger: Logger;
  /** Each as JSON. */
  private _waiting: string[] = [];
  private _sending: Promise<void> | undefined;
  private _timer: NodeJS.Timeout | undefined;
  private _failures = 0;
  private _dropped = 0;
  private _closed = false;

  constructor(service: Service, logger: Logger) {
    this._service = service;
    this._logger = logger;
  }

  add(key: string, userId: string, features: Readonly<Record<string, string>>): void {
    const goal = JSON.stringify({ id: randomUUID(), key, userId, features });
    if (Buffer.byteLength(goal) > MOST_BYTES) {
      this._logger.error(`The goal "${key}" is not sent: with all features of its user it is too large.`);
      return;
    }
    this._waiting.push(goal);
    if (this._waiting.length > MOST_WAITING) {
      this._waiting.shift();
      this._dropped += 1;
      if (this._dropped === 1)
        this._logger.error("Goals are dropped, the oldest first: the service does not take them.");
    }
    // After the application's step: goals that are reached in one go together.
    if (!this._timer && !this._sending) this._timer = setTimeout(() => this._send(), 0);
  }

  /** Sends what waits once more. */
  async close(): Promise<void> {
    this._closed = true;
    clearTimeout(this._timer);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this._service.abort("goals");
    }, CLOSING_MS);
    await this._sending;
    while (!late && this._waiting.length > 0 && (await this._sendSome())) {}
    clearTimeout(timer);
  }

  private _send(): void {
    this._timer = undefined;
    this._sending = this._sendAll().finally(() => {
      this._sending = undefined;
    });
  }

  private async _sendAll(): Promise<void> {
    while (this._waiting.length > 0 && !this._closed) {
      if (await this._sendSome()) continue;
      this._failures += 1;
      this._timer = setTimeout(() => this._send(), backoff(this._failures));
      this._timer.unref();
      return;
    }
  }

  /** Sends as many as one request takes; false when they have to wait. */
  private async _sendSome(): Promise<boolean> {
    let bytes = 0;
    const place = this._waiting.findIndex((goal, place) => {
      bytes += Buffer.byteLength(goal) + 1;
      return place === MOST_AT_ONCE || bytes > MOST_BYTES;
    });
    const some = this._waiting.splice(0, place < 0 ? this._waiting.length : place);
    try {
      await this._service.goals(`{"goals":[${some.join(",")}]}`);
      this._failures = 0;
      return true;
    } catch (error) {
      if (error instanceof Refused && isFinal(error.status)) {
        this._logger.error(`${some.length} goals are lost: ${error.message}`);
        return true;
      }
      this._waiting.unshift(...some);
      return false;
    }
  }
}

/** Whether the same request would be answered the same again. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
