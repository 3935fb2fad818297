// Reads server-sent events from the body of a response.

import { createParser, type EventSourceMessage } from "eventsource-parser";

/**
 * Passes events to `onEvent` until it returns true, the body ends or `signal` is aborted. Calls `onBytes` for each chunk, heartbeats
 * included.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEvent: (event: EventSourceMessage) => boolean,
  onBytes: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let isOver = false;
  const parser = createParser({
    onEvent: (event) => {
      isOver ||= onEvent(event);
    },
  });
  const reader = body.getReader();
  const close = (): void => void reader.cancel().catch(() => {});
  // Node.js closes the connection of an aborted request by itself only until it has collected the response as garbage.
  signal.addEventListener("abort", close);
  try {
    while (!isOver) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    close();
  }
}
