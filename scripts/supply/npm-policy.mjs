// What deny.toml cannot say of npm packages: tools that we run and do not ship, and what may run when they are installed.

/** Licences of tools, in addition to those of deny.toml. Nothing under them is in an artefact. */
export const TOOL_LICENCES = [
  ...[
    "0BSD",
    "BlueOak-1.0.0",
    "CC-BY-3.0",
    "CC-BY-4.0",
    "CC0-1.0",
    "LGPL-3.0-or-later",
    "MPL-2.0",
    "PSF-2.0",
    "Python-2.0",
  ],
  "Unlicense",
];

/** Licences of single packages that we ship, with the reason. */
export const SHIPPED_EXCEPTIONS = {
  "@fontsource-variable/inter": ["OFL-1.1", "a typeface: its licence is beside it in the pages"],
  wouter: ["Unlicense", "it asks for nothing"],
};

/** Packages whose manifest names no licence → the licence of the file LICENSE in them. */
export const UNNAMED = {
  "@openfeature/ofrep-core": "Apache-2.0",
  "@openfeature/ofrep-provider": "Apache-2.0",
};

/** Packages that may run a script when they are installed, with the reason. All others may not. */
export const INSTALL_SCRIPTS = {
  esbuild: "it replaces its launcher with the program for this system",
  libxmljs2: "optional, not installed: scripts/release/.npmrc leaves out optional packages and all scripts",
};

/** Packages that no lock file may name, with what to use instead. */
export const REFUSED = {
  "node-fetch": "the fetch of Node.js",
  axios: "the fetch of Node.js",
  request: "the fetch of Node.js",
};
