// An answer `{status, headers, body}` on its way out: a body that is no text is written as JSON.

/** The arguments of `writeHead`, and the bytes of the body. */
export function prepared({ status, headers = {}, body }) {
  const isText = typeof body === "string";
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  const own = {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
    "cache-control": "no-store",
  };
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { head: [status, { ...own, ...given, "content-length": bytes.length }], bytes };
}

export function send(response, answer) {
  const { head, bytes } = prepared(answer);
  response.writeHead(...head);
  response.end(bytes);
}
