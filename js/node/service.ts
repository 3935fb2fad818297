// Requests to the service: rules, their changes, and goals. The key travels in a header.

import type { EventSourceMessage } from "eventsource-parser";
import { readEvents } from "./event-stream.js";

const REQUEST_TIMEOUT_MS = 10_000;
/** How long a stream may be silent. The service sends a heartbeat every 20 s. */
const SILENCE_TIMEOUT_MS = 50_000;
/** The maximum of `Retry-After`. The service asks for at most a minute. */
const MAX_RETRY_AFTER_S = 60;

/** A response with an error status. */
export class HttpError extends Error {
  readonly status: number;
  /** Milliseconds to wait before the next request, from the `Retry-After` header in seconds; 0 without one. */
  readonly retryAfterMs: number;

  constructor(request: string, response: Response) {
    const remedy = response.status === 401 ? ": the server key is unknown or revoked; use a valid one" : "";
    super(`${request} failed with status ${response.status}${remedy}.`);
    this.status = response.status;
    const seconds = Number(response.headers.get("retry-after")) || 0;
    this.retryAfterMs = Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S) * 1_000;
  }

  /** Whether repeating the request would give the same response. */
  get isPermanent(): boolean {
    const { status } = this;
    return status >= 400 && status < 500 && status !== 408 && status !== 429;
  }
}

/** The response to a request for rules. */
interface RulesResponse {
  readonly since: string;
  /** Undefined when the rules have not changed. */
  readonly text: string | undefined;
}

/** The service, as one server key can use it. */
export class Service {
  private readonly _base: string;
  private readonly _headers: Readonly<Record<string, string>>;
  private readonly _open = { rules: new Set<AbortController>(), goals: new Set<AbortController>() };

  constructor(baseUrl: string, serverKey: string) {
    this._base = `${baseUrl}/server/v1`;
    this._headers = { authorization: `Bearer ${serverKey}` };
  }

  /** Loads the rules, unless they are still those of the known version. */
  async rules(since: string | undefined): Promise<RulesResponse> {
    const headers: Record<string, string> = since ? { "if-none-match": `"${since}"` } : {};
    return this._withTimeout("rules", REQUEST_TIMEOUT_MS, async (signal) => {
      const response = await this._fetch("/rules", { headers, signal });
      const etag = response.headers.get("etag") ?? "";
      const text = response.status === 304 ? undefined : await response.text();
      if (response.status !== 304 && !response.ok) throw new HttpError("Loading the rules", response);
      return { since: etag.replace(/^W\//, "").replace(/^"|"$/g, ""), text };
    });
  }

  /** Streams the changes after the known version, until the stream ends or `onEvent` returns true. */
  async stream(since: string, onOpen: () => void, onEvent: (event: EventSourceMessage) => boolean): Promise<void> {
    await this._withTimeout("rules", SILENCE_TIMEOUT_MS, async (signal, restartTimeout) => {
      const headers = { accept: "text/event-stream" };
      const response = await this._fetch(`/stream?since=${since}`, { headers, signal });
      if (!response.ok || !response.body) throw new HttpError("Opening the stream", response);
      onOpen();
      await readEvents(response.body, signal, onEvent, restartTimeout);
    });
  }

  /** Sends goals, participations or counts of evaluations. */
  async goals(body: string): Promise<void> {
    await this._withTimeout("goals", REQUEST_TIMEOUT_MS, async (signal) => {
      const headers = { "content-type": "application/json" };
      const response = await this._fetch("/goals", { method: "POST", headers, body, signal });
      await response.arrayBuffer();
      if (!response.ok) throw new HttpError("Sending goals", response);
    });
  }

  /** Aborts the open requests of one kind. */
  abort(kind: "rules" | "goals"): void {
    for (const controller of this._open[kind]) controller.abort();
  }

  private _fetch(path: string, request: RequestInit): Promise<Response> {
    const headers = { ...this._headers, ...(request.headers as Record<string, string>) };
    // Following a redirect would send the key to another server.
    return fetch(this._base + path, { ...request, headers, redirect: "error", cache: "no-store" });
  }

  /** Aborts `work` after the timeout, which `work` can restart. */
  private async _withTimeout<Result>(
    kind: "rules" | "goals",
    timeoutMs: number,
    work: (signal: AbortSignal, restartTimeout: () => void) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    timer.unref();
    this._open[kind].add(controller);
    // Reading a body does not always fail when its request is aborted.
    const aborted = new Promise<never>((_, reject) => {
      const message = `no data for ${timeoutMs / 1000} s, or the request was aborted`;
      controller.signal.addEventListener("abort", () => reject(new Error(message)));
    });
    try {
      return await Promise.race([aborted, work(controller.signal, () => timer.refresh())]);
    } finally {
      clearTimeout(timer);
      this._open[kind].delete(controller);
    }
  }
}
