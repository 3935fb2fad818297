// Reads server-sent events from the body of a response.

import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Passes events to `onEvent` until it returns true or the body ends. Calls `onBytes` for each chunk, heartbeats included. */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  onEvent: (event: EventSourceMessage) => boolean,
  onBytes: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let done = false;
  const parser = createParser({
    onEvent: (event) => {
      done ||= onEvent(event);
    },
  });
  for await (const bytes of body) {
    onBytes();
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (done) return;
  }
}
