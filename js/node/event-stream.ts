// Server-sent events, read from the bytes of an answer.

/** One event. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** The last one that was named. */
  readonly id: string;
}

/** Gives `heard` each event of a body until it has heard enough, and `alive` each sign of life. */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  heard: (event: ServerEvent) => boolean,
  alive: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  let name = "";
  let id = "";
  let data: string[] = [];
  let enough = false;
  const take = (line: string): void => {
    if (line === "") {
      if (data.length > 0) enough = heard({ name: name || "message", data: data.join("\n"), id });
      name = "";
      data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
  };
  const lineEnd = /\r\n|\n|\r/g;
  let halved = false;
  for await (const bytes of body) {
    alive();
    let text = decoder.decode(bytes, { stream: true });
    // The second half of an end whose first one was the last byte before.
    if (halved && text !== "") text = text.replace(/^\n/, "");
    lineEnd.lastIndex = rest.length;
    rest += text;
    let begin = 0;
    for (let end = lineEnd.exec(rest); end; end = lineEnd.exec(rest)) {
      take(rest.slice(begin, end.index));
      if (enough) return;
      begin = lineEnd.lastIndex;
    }
    halved = rest.endsWith("\r") || (halved && text === "");
    rest = rest.slice(begin);
  }
}
