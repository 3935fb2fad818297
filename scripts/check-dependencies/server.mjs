// The layers of the server: which uses which, which foreign crates each may name, how large a folder may be.
import { dirname, join } from "node:path";
import { rustPaths } from "./rust-paths.mjs";
import { withoutCommentsAndStrings } from "./rust-text.mjs";
import { listed, sources } from "./sources.mjs";

/** Modules that every layer may use. */
const EVERYBODY = ["clock", "domain", "metrics", "random", "secret"];

/** Each layer → the layers that it may use. */
const LAYERS = {
  http: ["app"],
  app: ["store"],
  store: [],
  live: ["app"],
  analytics: ["app"],
  ...Object.fromEntries(EVERYBODY.map((module) => [module, []])),
};

/** The files that put the layers together: they may use all of them but the store. */
const TOP = ["command", "lib", "main", "service"];

/** Those of them that may use the store too: they open a database, or handle its file. */
const STORE_USERS = ["command/backup.rs", "command/database.rs", "command/restore.rs", "service.rs"];

/** Crates that only these layers may name. */
const FOREIGN = {
  sqlx: ["store"],
  axum: ["http", "command", "service"],
  tower: ["http"],
  hyper: ["http", "analytics"],
};

/** How many files a folder may hold directly. */
const MOST_FILES = 20;

/** One sentence for each break of these rules in crates/server/src. */
export async function serverViolations(folder) {
  const files = await sources(join(folder, "crates", "server", "src"), ".rs");
  const found = files.flatMap(({ file, text }) =>
    fileViolations(file, text).map((sentence) => `crates/server/src/${file}: ${sentence}`),
  );
  return [...found, ...fullFolders(files)];
}

function fileViolations(file, text) {
  const [layer] = file.replace(/\.rs$/, "").split("/");
  const isTop = TOP.includes(layer);
  if (!isTop && !LAYERS[layer]) return [`${layer} stands in no row of the table of layers.`];
  const mayUseStore = layer === "app" || layer === "store" || STORE_USERS.includes(file);
  const found = [...used(file, text, isTop, layer), ...foreign(layer, text)];
  if (!mayUseStore && /\.store\b/.test(withoutCommentsAndStrings(text))) {
    found.push(`${layer} reaches the store of the application; let a function of app do it.`);
  }
  if (layer === "app" && /\bpub(\([^)]*\))?\s+use\s+crate::store\b/.test(text)) {
    found.push("app re-exports something of store; what others need is a type of domain, or of app.");
  }
  return found;
}

function used(file, text, isTop, layer) {
  const roots = new Set(rustPaths(file, text).map(([root]) => root));
  if (isTop) {
    return roots.has("store") && !STORE_USERS.includes(file)
      ? [`${layer} uses store; of the files on top only ${listed(STORE_USERS)} may.`]
      : [];
  }
  const allowed = [layer, ...LAYERS[layer], ...EVERYBODY];
  return [...roots]
    .filter((root) => !allowed.includes(root))
    .map((root) => `${layer} uses ${root}; it may use ${listed([...LAYERS[layer], ...EVERYBODY])}.`);
}

function foreign(layer, text) {
  const code = withoutCommentsAndStrings(text);
  return Object.entries(FOREIGN)
    .filter(([crate, layers]) => !layers.includes(layer) && new RegExp(`\\b${crate}::`).test(code))
    .map(([crate, layers]) => `${layer} names ${crate}; only ${listed(layers)} may.`);
}

function fullFolders(files) {
  const counts = new Map();
  for (const { file } of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([name, count]) => {
      const path = join("crates/server/src", name);
      return `${path}: holds ${count} files; ${MOST_FILES} are the most. Put some in a folder of their own.`;
    });
}
