// Sends goals and participations to the service: at once, in batches, and again after a failure.
//
// The service counts the participations of a request before its goals. So a request ends before a participation that follows a goal.

import { randomUUID } from "node:crypto";
import { wellFormed } from "../../shared/well-formed.js";
import { backoff } from "../backoff.js";
import type { Logger } from "../public.js";
import { HttpError, type Service } from "../service.js";
import { lastRequests } from "./last-requests.js";

/** Limits of one request. */
const MAX_BATCH_ITEMS = 100;
const MAX_BATCH_BYTES = 60_000;
/** Limits of the service, in characters. It refuses an entry beyond them. */
const MAX_KEY_LENGTH = 200;
const MAX_USER_ID_LENGTH = 1_000;
/** The queue's limit. Beyond it the oldest goals and participations are dropped. */
const MAX_QUEUED = 10_000;
/** How many participations are remembered, so that each is sent once. One that is forgotten may be sent again, and counts once. */
const MAX_REMEMBERED = 10_000;

/** A goal or a participation. */
interface Item {
  readonly isGoal: boolean;
  readonly json: string;
}

/** The queue of goals and participations. */
export class Goals {
  private readonly _service: Service;
  private readonly _logger: Logger;
  private readonly _queue: Item[] = [];
  /** The JSON of the participations that were added last. */
  private readonly _remembered = new Set<string>();
  /** What was logged about participations that cannot be sent: each evaluation of the user would be too often. */
  private readonly _logged = new Set<string>();
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
    const json = wellFormed(JSON.stringify({ id: randomUUID(), key, userId, features }));
    const problem =
      problemOf("its key", key, MAX_KEY_LENGTH) ??
      problemOf("user.id", userId, MAX_USER_ID_LENGTH) ??
      (Buffer.byteLength(json) > MAX_BATCH_BYTES ? "it is too large with all features of the user" : undefined);
    if (problem === undefined) this._push({ isGoal: true, json });
    else this._logger.error(`Goal "${key.slice(0, 2 * MAX_KEY_LENGTH)}" was not sent: ${problem}.`);
  }

  /** Adds the participation of a user in the experiment with a feature, once for each variant. */
  addParticipation(feature: string, variant: string, userId: string): void {
    if (this._closed) return;
    const problem = problemOf("user.id", userId, MAX_USER_ID_LENGTH);
    if (problem !== undefined) {
      this._logOnce(`A participation in "${feature}" was not sent: ${problem}.`);
      return;
    }
    const json = wellFormed(JSON.stringify({ feature, variant, userId }));
    if (this._remembered.has(json)) return;
    this._remembered.add(json);
    if (this._remembered.size > MAX_REMEMBERED) {
      for (const oldest of this._remembered) {
        this._remembered.delete(oldest);
        break;
      }
    }
    this._push({ isGoal: false, json });
  }

  private _logOnce(message: string): void {
    if (!this._logged.has(message)) this._logger.error(message);
    this._logged.add(message);
  }

  private _push(item: Item): void {
    this._queue.push(item);
    if (this._queue.length > MAX_QUEUED) {
      // A participation that is dropped is due again at the user's next evaluation.
      this._remembered.delete(this._queue.shift()?.json ?? "");
      this._dropped += 1;
      if (this._dropped === 1)
        this._logger.error("The goal queue is full because the service is not accepting goals. Dropping the oldest.");
    }
    // Wait for the current task to end, so that what comes from one task shares a request.
    if (!this._timer && !this._sending) this._timer = setTimeout(() => this._send(), 0);
  }

  /** Tries once more to send the queue. */
  async close(): Promise<void> {
    this._closed = true;
    clearTimeout(this._timer);
    await lastRequests(this._service, this._sending, async () => {
      while (this._queue.length > 0 && (await this._sendBatch())) {}
    });
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

  /** Sends one request. Returns false if its goals and participations must be sent again. */
  private async _sendBatch(): Promise<boolean> {
    let bytes = 0;
    const end = this._queue.findIndex(({ isGoal, json }, index) => {
      bytes += Buffer.byteLength(json) + 1;
      return index === MAX_BATCH_ITEMS || bytes > MAX_BATCH_BYTES || (!isGoal && this._queue[index - 1]?.isGoal);
    });
    const batch = this._queue.splice(0, end < 0 ? this._queue.length : end);
    try {
      await this._service.goals(bodyOf(batch));
    } catch (error) {
      if (!(error instanceof HttpError && error.isPermanent)) {
        this._queue.unshift(...batch);
        return false;
      }
      this._logger.error(`Dropped ${whatIsIn(batch)}: ${error.message}`);
    }
    this._failures = 0;
    return true;
  }
}

/** Why the service would refuse a text; undefined if it would not. */
function problemOf(name: string, text: string, most: number): string | undefined {
  if (text.includes("\0")) return `${name} has a NUL character`;
  if (text.length <= most) return undefined;
  // A character has at most two code units.
  const { length } = Array.from(text.slice(0, 2 * most + 1));
  return length > most ? `${name} has more than ${most} characters` : undefined;
}

/** The body of a request. The participations of a batch come before its goals. */
function bodyOf(batch: readonly Item[]): string {
  const list = (name: string, items: readonly Item[]): string[] =>
    items.length > 0 ? [`"${name}":[${items.map(({ json }) => json).join(",")}]`] : [];
  const participations = list(
    "participations",
    batch.filter(({ isGoal }) => !isGoal),
  );
  const goals = list(
    "goals",
    batch.filter(({ isGoal }) => isGoal),
  );
  return `{${[...participations, ...goals].join(",")}}`;
}

/** Names a single item for the log, and counts several. */
function whatIsIn(batch: readonly Item[]): string {
  const [first] = batch;
  if (first && batch.length === 1) {
    const { key, feature } = JSON.parse(first.json) as { key?: string; feature?: string };
    return first.isGoal ? `goal "${key}"` : `a participation in "${feature}"`;
  }
  const goals = batch.filter(({ isGoal }) => isGoal).length;
  const participations = batch.length - goals;
  return participations > 0 ? `${goals} goals and ${participations} participations` : `${goals} goals`;
}
