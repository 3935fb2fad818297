// Sends goals to the service: at once, in batches, and again after a failure.

import { randomUUID } from "node:crypto";
import { backoff } from "./backoff.js";
import type { Logger } from "./public.js";
import { HttpError, type Service } from "./service.js";

/** Limits of one request. */
const MAX_BATCH_GOALS = 100;
const MAX_BATCH_BYTES = 60_000;
/** The queue's limit. Beyond it the oldest goals are dropped. */
const MAX_QUEUED = 10_000;
/** How long `close` may spend on sending what is queued. */
const CLOSE_TIMEOUT_MS = 3_000;

/** The queue of goals. */
export class Goals {
  private readonly _service: Service;
  private readonly _logger: Logger;
  /** Each goal as JSON. */
  private _queue: string[] = [];
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
    if (Buffer.byteLength(goal) > MAX_BATCH_BYTES) {
      this._logger.error(`Goal "${key}" was not sent: it is too large with all features of the user.`);
      return;
    }
    this._queue.push(goal);
    if (this._queue.length > MAX_QUEUED) {
      this._queue.shift();
      this._dropped += 1;
      if (this._dropped === 1)
        this._logger.error("The goal queue is full because the service is not accepting goals. Dropping the oldest.");
    }
    // Wait for the current task to end, so that goals reached in one task share a request.
    if (!this._timer && !this._sending) this._timer = setTimeout(() => this._send(), 0);
  }

  /** Tries once more to send the queue. */
  async close(): Promise<void> {
    this._closed = true;
    clearTimeout(this._timer);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      this._service.abort("goals");
    }, CLOSE_TIMEOUT_MS);
    await this._sending;
    while (!timedOut && this._queue.length > 0 && (await this._sendBatch())) {}
    clearTimeout(timer);
  }

  private _send(): void {
    this._timer = undefined;
    this._sending = this._sendAll().finally(() => {
      this._sending = undefined;
    });
  }

  private async _sendAll(): Promise<void> {
    while (this._queue.length > 0 && !this._closed) {
      if (await this._sendBatch()) continue;
      this._failures += 1;
      this._timer = setTimeout(() => this._send(), backoff(this._failures));
      this._timer.unref();
      return;
    }
  }

  /** Sends one request. Returns false if its goals must be sent again. */
  private async _sendBatch(): Promise<boolean> {
    let bytes = 0;
    const end = this._queue.findIndex((goal, index) => {
      bytes += Buffer.byteLength(goal) + 1;
      return index === MAX_BATCH_GOALS || bytes > MAX_BATCH_BYTES;
    });
    const batch = this._queue.splice(0, end < 0 ? this._queue.length : end);
    try {
      await this._service.goals(`{"goals":[${batch.join(",")}]}`);
      this._failures = 0;
      return true;
    } catch (error) {
      if (error instanceof HttpError && isPermanent(error.status)) {
        this._logger.error(`Dropped ${batch.length} goals: ${error.message}`);
        return true;
      }
      this._queue.unshift(...batch);
      return false;
    }
  }
}

/** Whether repeating the request would give the same response. */
function isPermanent(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
