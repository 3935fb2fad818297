// The layers of the server: which layer uses which, and which external crates each may name.
import { join } from "node:path";
import { rustPaths } from "./rust-paths.mjs";
import { withoutCommentsAndStrings } from "./rust-text.mjs";
import { listed, sources } from "./sources.mjs";

/** Modules that every layer may use. */
const SHARED = [
  "clock",
  "domain",
  "error",
  "metrics",
  "network",
  "node",
  "outgoing",
  "random",
  "sealing",
  "secret",
  "tls",
];

/** Each layer → the layers that it may use. */
const LAYERS = {
  http: ["app", "identity", "serving"],
  app: ["serving", "store"],
  serving: [],
  store: [],
  live: ["app", "serving"],
  analytics: ["app", "serving"],
  identity: ["app"],
  edge: ["http", "serving"],
  log: [],
  ...Object.fromEntries(SHARED.map((module) => [module, []])),
};

/** Modules that wire the layers together. They may use every layer except the store. */
const WIRING = ["command", "fuzzing", "lib", "main", "service"];

/** Their files that may use the store too: they open a database or work with its file. */
const STORE_USERS = ["command/backup.rs", "command/database.rs", "command/restore/mod.rs", "service.rs"];

/** External crates → the layers that may name them. */
const EXTERNAL = {
  sqlx: ["store"],
  axum: ["http", "command", "edge", "service"],
  tower: ["http"],
  hyper: ["http", "analytics", "edge", "identity", "outgoing"],
  openidconnect: ["identity"],
};

/** One sentence for each violation of these rules in crates/server/src. */
export async function serverViolations(folder) {
  const files = await sources(join(folder, "crates", "server", "src"), ".rs");
  return files.flatMap(({ file, text }) =>
    fileViolations(file, text).map((sentence) => `crates/server/src/${file}: ${sentence}`),
  );
}

function fileViolations(file, text) {
  const [layer] = file.replace(/\.rs$/, "").split("/");
  const isWiring = WIRING.includes(layer);
  if (!isWiring && !LAYERS[layer]) return [`${layer} is missing from the table of layers.`];
  const mayUseStore = layer === "app" || layer === "store" || STORE_USERS.includes(file);
  const found = [...used(file, text, isWiring, layer), ...external(layer, text)];
  if (!mayUseStore && /\.store\b/.test(withoutCommentsAndStrings(text))) {
    found.push(`${layer} uses App.store; call a function of app instead.`);
  }
  if (layer === "app" && /\bpub(\([^)]*\))?\s+use\s+crate::store\b/.test(text)) {
    found.push("app re-exports an item of store; move it to domain or app.");
  }
  return found;
}

function used(file, text, isWiring, layer) {
  const roots = new Set(rustPaths(file, text).map(([root]) => root));
  if (isWiring) {
    return roots.has("store") && !STORE_USERS.includes(file)
      ? [`${layer} uses store; outside app, only ${listed(STORE_USERS)} may.`]
      : [];
  }
  const allowed = [layer, ...LAYERS[layer], ...SHARED];
  return [...roots]
    .filter((root) => !allowed.includes(root))
    .map((root) => `${layer} uses ${root}; it may use ${listed([...LAYERS[layer], ...SHARED])}.`);
}

function external(layer, text) {
  const code = withoutCommentsAndStrings(text);
  return Object.entries(EXTERNAL)
    .filter(([crate, layers]) => !layers.includes(layer) && new RegExp(`\\b${crate}::`).test(code))
    .map(([crate, layers]) => `${layer} names ${crate}; only ${listed(layers)} may.`);
}
