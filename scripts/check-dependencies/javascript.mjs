// Imports between the folders of js/, and of packages.
import { join, posix } from "node:path";
import { JAVASCRIPT_ENDINGS, listed, sources, specifiers } from "./sources.mjs";

/** Each folder of js/ → the folders that it may import from, and the packages. */
const FOLDERS = {
  shared: { folders: [], packages: [] },
  browser: { folders: ["shared"], packages: [] },
  // Not from browser: a page would have a second copy of the client.
  react: { folders: ["shared"], packages: ["react", "flagservice-client"] },
  node: { folders: ["shared"], packages: ["node:", "eventsource-parser"] },
  openfeature: {
    // Our clients by their published names only, so that a page or a process has one copy.
    folders: ["shared"],
    packages: ["@openfeature/", "flagservice-client", "flagservice-node-sdk"],
  },
  // The administration pages use the REST API and none of our packages. They import each component by itself: the name of the
  // package would bring all components into the first script.
  admin: {
    folders: [],
    packages: [
      ...["react", "react-dom", "react-dom/client", "react-aria-components/"],
      ...["react-aria/private/utils/openLink", "react-aria/private/focus/FocusScope"],
      ...["wouter", "wouter/use-browser-location", "@tanstack/react-query", "@tanstack/react-virtual", "openapi-fetch"],
    ],
  },
};

/** One sentence for each import that the table does not allow. */
export async function javascriptViolations(folder) {
  const files = await sources(join(folder, "js"), ...JAVASCRIPT_ENDINGS);
  return files.flatMap(({ file, text }) => {
    if (/\.test\.\w+$/.test(file)) return [];
    const own = file.split("/")[0];
    const allowed = FOLDERS[own];
    if (!allowed) return [`js/${file}: ${own} is missing from the table of folders.`];
    return specifiers(text)
      .map((specifier) => importViolation(file, own, allowed, specifier))
      .filter((sentence) => sentence !== undefined);
  });
}

function importViolation(file, own, allowed, specifier) {
  if (specifier.startsWith(".")) {
    const target = posix.normalize(posix.join(posix.dirname(`js/${file}`), specifier)).split("/");
    // Build output of the Rust core is outside js/ and belongs to the folder that loads it.
    if (target[0] !== "js" || target[1] === own || allowed.folders.includes(target[1])) return undefined;
    return `js/${file}: imports from js/${target[1]}; it may import from ${listed(allowed.folders)}.`;
  }
  const isAllowed = (name) => specifier === name || (/[:/]$/.test(name) && specifier.startsWith(name));
  if (allowed.packages.some(isAllowed)) return undefined;
  return `js/${file}: imports the package ${specifier}; it may import ${listed(allowed.packages)}.`;
}
