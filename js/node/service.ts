// What is asked of the service: rules, their changes, and that goals be kept. The key travels in a header.

import { readEvents, type ServerEvent } from "./event-stream.js";

/** How long an answer may take. */
const PATIENCE_MS = 10_000;
/** A stream that says nothing for so long is dead: a beat comes every 20 s. */
const SILENCE_MS = 50_000;

/** An answer that is not what was asked for. */
export class Refused extends Error {
  readonly status: number;
  /** Milliseconds after which to ask again, where the service says so. */
  readonly retryAfter: number;

  constructor(what: string, response: Response) {
    const remedy = response.status === 401 ? ": the server key is unknown or revoked, take a current one" : "";
    super(`${what} was answered with ${response.status}${remedy}.`);
    this.status = response.status;
    this.retryAfter = (Number(response.headers.get("retry-after")) || 0) * 1000;
  }
}

/** The rules of an answer, and the point that they stand for; no text when they are as they were. */
export interface LoadedRules {
  readonly since: string;
  readonly text: string | undefined;
}

/** The service, asked with one server key. */
export class Service {
  private readonly _base: string;
  private readonly _headers: Readonly<Record<string, string>>;
  private readonly _open = { rules: new Set<AbortController>(), goals: new Set<AbortController>() };

  constructor(baseUrl: string, serverKey: string) {
    this._base = `${baseUrl}/server/v1`;
    this._headers = { authorization: `Bearer ${serverKey}` };
  }

  /** The rules, unless they are still those of `since`. */
  async rules(since: string | undefined): Promise<LoadedRules> {
    const headers: Record<string, string> = since ? { "if-none-match": `"${since}"` } : {};
    return this._within("rules", PATIENCE_MS, async (signal) => {
      const response = await this._ask("/rules", { headers, signal });
      const etag = response.headers.get("etag") ?? "";
      const text = response.status === 304 ? undefined : await response.text();
      if (response.status !== 304 && !response.ok) throw new Refused("The question for the rules", response);
      return { since: etag.replace(/^W\//, "").replace(/^"|"$/g, ""), text };
    });
  }

  /** Follows the changes since a point until the stream ends or `heard` says so. */
  async follow(since: string, heard: (event: ServerEvent) => boolean): Promise<void> {
    await this._within("rules", SILENCE_MS, async (signal, alive) => {
      const headers = { accept: "text/event-stream" };
      const response = await this._ask(`/stream?since=${since}`, { headers, signal });
      if (!response.ok || !response.body) throw new Refused("The stream of changes", response);
      await readEvents(response.body as unknown as AsyncIterable<Uint8Array>, heard, alive);
    });
  }

  /** Has goals kept. */
  async goals(body: string): Promise<void> {
    await this._within("goals", PATIENCE_MS, async (signal) => {
      const headers = { "content-type": "application/json" };
      const response = await this._ask("/goals", { method: "POST", headers, body, signal });
      await response.arrayBuffer();
      if (!response.ok) throw new Refused("A goal", response);
    });
  }

  /** Ends what is under way of one kind. */
  abort(what: "rules" | "goals"): void {
    for (const controller of this._open[what]) controller.abort();
  }

  private _ask(path: string, request: RequestInit): Promise<Response> {
    const headers = { ...this._headers, ...(request.headers as Record<string, string>) };
    // A redirect would take the key elsewhere.
    return fetch(this._base + path, { ...request, headers, redirect: "error", cache: "no-store" });
  }

  /** Gives up when there is no sign of life for so long. */
  private async _within<Answer>(
    what: "rules" | "goals",
    patience: number,
    work: (signal: AbortSignal, alive: () => void) => Promise<Answer>,
  ): Promise<Answer> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), patience);
    timer.unref();
    this._open[what].add(controller);
    // A body that is being read when its request is aborted is not always told so.
    const aborted = new Promise<never>((_, reject) => {
      const message = `Nothing was heard for ${patience / 1000} s, or it was ended.`;
      controller.signal.addEventListener("abort", () => reject(new Error(message)));
    });
    try {
      return await Promise.race([aborted, work(controller.signal, () => timer.refresh())]);
    } finally {
      clearTimeout(timer);
      this._open[what].delete(controller);
    }
  }
}
