// Sends annotations in the tests of the destination.
import { request as httpRequest } from "node:http";
import { startDestination } from "./destination.mjs";

export const KEYS = { apiKey: "us-api-key", secretKey: "us-secret-key" };

export const ANNOTATION = {
  label: "Ada Lindqvist updated New checkout in Production",
  start: "2026-11-21T10:42:01+00:00",
  category: "Feature flags",
  details: "Feature: New checkout (new-checkout)\nEnvironment: Production",
};

/** A destination for one test, which stops after it. It has the category of `ANNOTATION` unless the options say otherwise. */
export async function destinationFor(test, options) {
  const destination = await startDestination({ ...KEYS, categories: ["Feature flags"], ...options });
  test.after(() => destination.stop());
  return destination;
}

export function basic({ apiKey, secretKey }) {
  return `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString("base64")}`;
}

/** Sends a request to the API and returns `{status, headers, body}`. `body` may already be a string. */
export async function send({ url }, path, { method = "POST", body, headers = {}, keys = KEYS } = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: { authorization: basic(keys), "content-type": "application/json", ...headers },
    body: body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
}

/** Posts `ANNOTATION`, with changes. */
export function post(destination, changes = {}, options = {}) {
  return send(destination, "/api/3/annotations", { body: { ...ANNOTATION, ...changes }, ...options });
}

export function control({ url }, method, path = "/control", body = undefined, headers = {}) {
  return send({ url }, path, { method, body, headers });
}

/**
 * Posts `ANNOTATION` over a new connection. Resolves with `{status, body, complete, error}`: what was received, whether it is
 * complete, and the code of the error. Stops reading after `limit` bytes.
 */
export function postAlone({ url }, { limit = Number.POSITIVE_INFINITY, signal } = {}) {
  return new Promise((resolve) => {
    const headers = { authorization: basic(KEYS), "content-type": "application/json" };
    const result = { status: null, body: "", complete: false, error: null };
    const failed = ({ code, name }) => resolve({ ...result, error: code ?? name });
    const request = httpRequest(`${url}/api/3/annotations`, { method: "POST", headers, agent: false, signal });
    request.on("error", failed);
    request.on("response", (response) => {
      result.status = response.statusCode;
      response.on("data", (chunk) => {
        result.body += chunk;
        if (result.body.length <= limit) return;
        resolve({ ...result, error: "over the limit" });
        request.destroy();
      });
      response.on("error", failed);
      response.on("end", () => resolve({ ...result, complete: response.complete }));
    });
    request.end(JSON.stringify(ANNOTATION));
  });
}
