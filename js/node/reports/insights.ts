// Counts evaluations for insights, and sends the counts to the service: each minute, again after a failure, and when the client closes.

import { randomUUID } from "node:crypto";
import { wellFormed } from "../../shared/well-formed.js";
import { backoff } from "../backoff.js";
import type { Logger } from "../public.js";
import { HttpError, type Service } from "../service.js";
import { lastRequests } from "./last-requests.js";

const INTERVAL_MS = 60_000;
/** Limits of one request. */
const MAX_FEATURES = 1_000;
const MAX_BYTES = 60_000;
/** How many features are counted between two requests, in case an application makes keys up. The service knows fewer. */
const MAX_COUNTED = 10_000;

/** The evaluations of one client. */
export class Insights {
  private readonly _service: Service;
  private readonly _logger: Logger;
  /** How often a feature was evaluated to a variant, since the last bodies were made. */
  private _counts = new Map<string, Map<string, number>>();
  /** The bodies of requests that the service has not accepted yet. A retry has the same id and the same counts, so that it counts once. */
  private _bodies: string[] = [];
  private _sending: Promise<void> | undefined;
  private _timer: NodeJS.Timeout | undefined;
  private _failures = 0;
  /** Whether the service has rejected the last counts that it answered. */
  private _rejected = false;
  private _closed = false;

  constructor(service: Service, logger: Logger) {
    this._service = service;
    this._logger = logger;
  }

  /** Counts an evaluation. */
  add(feature: string, variant: string): void {
    let variants = this._counts.get(feature);
    if (!variants) {
      if (this._closed || this._counts.size === MAX_COUNTED) return;
      variants = new Map();
      this._counts.set(feature, variants);
      if (!this._sending) this._schedule(INTERVAL_MS);
    }
    variants.set(variant, (variants.get(variant) ?? 0) + 1);
  }

  /** Tries once more to send what was counted. */
  async close(): Promise<void> {
    this._closed = true;
    clearTimeout(this._timer);
    await lastRequests(this._service, this._sending, () => this._sendAll());
  }

  /** Sends after a delay, unless that is planned already. It does not keep the process alive. */
  private _schedule(delayMs: number): void {
    this._timer ??= setTimeout(() => this._send(), delayMs).unref();
  }

  private _send(): void {
    this._timer = undefined;
    this._sending = this._sendAll().then((accepted) => {
      this._sending = undefined;
      if (this._closed) return;
      this._failures = accepted ? 0 : this._failures + 1;
      if (!accepted) this._schedule(backoff(this._failures));
      else if (this._counts.size > 0) this._schedule(INTERVAL_MS);
    });
  }

  /** Sends what is left of earlier requests, else what was counted since. Returns false if the rest must be sent again. */
  private async _sendAll(): Promise<boolean> {
    if (this._bodies.length === 0 || this._closed) this._makeBodies();
    for (let body = this._bodies[0]; body !== undefined; body = this._bodies[0]) {
      if (!(await this._sendOne(body))) return false;
      this._bodies.shift();
    }
    return true;
  }

  private async _sendOne(body: string): Promise<boolean> {
    try {
      await this._service.goals(body);
      this._rejected = false;
      return true;
    } catch (error) {
      const isPermanent = error instanceof HttpError && error.isPermanent;
      // Each minute would be too often.
      if (isPermanent && !this._rejected) this._logger.error(`Dropped counts of evaluations: ${error.message}`);
      this._rejected ||= isPermanent;
      return isPermanent;
    }
  }

  /** Turns what was counted into bodies of requests. */
  private _makeBodies(): void {
    let members: string[] = [];
    let bytes = 0;
    const finish = (): void => {
      const id = randomUUID().replaceAll("-", "");
      if (members.length > 0) this._bodies.push(`{"id":"${id}","evaluations":{${members.join(",")}}}`);
      members = [];
      bytes = 0;
    };
    for (const [feature, variants] of this._counts) {
      const member = wellFormed(`${JSON.stringify(feature)}:${JSON.stringify(Object.fromEntries(variants))}`);
      const length = Buffer.byteLength(member) + 1;
      if (members.length === MAX_FEATURES || bytes + length > MAX_BYTES) finish();
      // No feature of a service has a key of this length.
      if (length > MAX_BYTES) continue;
      members.push(member);
      bytes += length;
    }
    finish();
    this._counts = new Map();
  }
}
