// The files that the build made for the browser, read once.
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

const FOLDER = new URL("assets/", import.meta.url);
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".map": "application/json",
};

export const assets = new Map(
  readdirSync(FOLDER).map((name) => [
    `GET /assets/${name}`,
    {
      headers: { "content-type": TYPES[extname(name)], "cache-control": "no-cache" },
      bytes: readFileSync(new URL(name, FOLDER)),
    },
  ]),
);
