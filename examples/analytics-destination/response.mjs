// Sends responses of the form `{status, headers, body}`. A body that is not a string is sent as JSON.

/** The arguments of `writeHead`, and the bytes of the body. */
export function serialise({ status, headers = {}, body }) {
  const isText = typeof body === "string";
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  const defaults = {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
    "cache-control": "no-store",
  };
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { head: [status, { ...defaults, ...given, "content-length": bytes.length }], bytes };
}

export function send(response, answer) {
  const { head, bytes } = serialise(answer);
  response.writeHead(...head);
  response.end(bytes);
}
