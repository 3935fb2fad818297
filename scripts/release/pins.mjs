// Whether the release workflow and the container can only use what they name: actions by commit, images by digest, no secrets.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup.mjs";

const WORKFLOWS = join(root, ".github", "workflows");
const CONTAINERFILE = join(root, "contrib", "Containerfile");
/** The build arguments of the Containerfile. */
export const IMAGES = ["NODE_IMAGE", "RUST_IMAGE", "BASE_IMAGE"];

/** One sentence for each thing that is not pinned, in the files of this repository. */
export async function pinViolations() {
  const names = (await readdir(WORKFLOWS)).filter((name) => /\.ya?ml$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(WORKFLOWS, name), "utf8")));
  const workflows = names.flatMap((name, index) => workflowViolations(`.github/workflows/${name}`, texts[index]));
  return [...workflows, ...containerViolations(await readFile(CONTAINERFILE, "utf8"))];
}

export function workflowViolations(file, text) {
  const uses = Array.from(text.matchAll(/^\s*(?:- )?uses: (\S+)/gm), ([, action]) => action);
  const unpinned = uses.filter((action) => !/@[0-9a-f]{40}$/.test(action));
  const found = unpinned.map((action) => `${file}: ${action} is not pinned to a commit.`);
  if (/\bsecrets\./.test(text))
    found.push(`${file}: it uses a secret. npm and attestations take the identity of the workflow.`);
  if (!/^permissions: \{\}$/m.test(text)) found.push(`${file}: it does not start with "permissions: {}".`);
  return found;
}

export function containerViolations(text) {
  const stages = Array.from(text.matchAll(/^FROM (\S+)/gm), ([, image]) => image);
  const found = stages
    .filter((image) => !IMAGES.some((name) => image === `\${${name}}`))
    .map((image) => `contrib/Containerfile: ${image} is not one of the build arguments ${IMAGES.join(", ")}.`);
  const withDefault = IMAGES.filter((name) => !new RegExp(`^ARG ${name}$`, "m").test(text));
  return [...found, ...withDefault.map((name) => `contrib/Containerfile: it has no "ARG ${name}" without a default.`)];
}

/** One sentence for each image that is missing or not named by its digest. `images`: build argument → image. */
export function imageViolations(images) {
  return IMAGES.filter((name) => !/^[\w./:-]+@sha256:[0-9a-f]{64}$/.test(images[name] ?? "")).map(
    (name) =>
      `${name} is ${images[name] ? `"${images[name]}"` : "not set"}; it has to be IMAGE@sha256:DIGEST (docs/release.md).`,
  );
}
