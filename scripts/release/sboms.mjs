// CycloneDX SBOMs: one for each artefact, with exactly what the artefact contains.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { ensureCargoCyclonedx, ensureNodeModules, root, toolsEnvironment } from "../setup.mjs";
import { vendoredIn } from "../supply/vendored.mjs";
import { artefacts, workspaceVersion } from "./artefacts.mjs";
import { contentsOf } from "./notices.mjs";

const TOOLS = join(root, "scripts", "release");
const SPEC_VERSION = "1.5";

/** Writes `<artefact>.cdx.json` for every artefact; returns their names. `baseImage` is what the container starts from. */
export async function writeSboms(folder, { note, baseImage } = {}) {
  const known = new Inventory([...(await crateBoms(note)), ...(await npmBoms(note))]);
  await mkdir(folder, { recursive: true });
  const names = [];
  for (const artefact of await artefacts()) {
    const bom = await sbom(artefact, known, artefact.type === "container" ? baseImage : undefined);
    const name = `${artefact.name}-${artefact.version}.cdx.json`;
    await writeFile(join(folder, name), `${JSON.stringify(bom, undefined, 2)}\n`);
    names.push(name);
  }
  return names;
}

async function sbom(artefact, known, baseImage) {
  const { crates, packages } = await contentsOf(artefact);
  const carried = new Map(
    await Promise.all(crates.map(async (crate) => [purlOf("cargo", crate), await vendoredIn(crate)])),
  );
  const components = [
    ...crates.map((crate) => known.component(purlOf("cargo", crate), artefact)),
    ...packages.map((one) => known.component(purlOf("npm", one), artefact)),
    ...[...carried.values()].flat().map(vendoredComponent),
    ...(baseImage ? [imageComponent(baseImage)] : []),
  ];
  const refs = new Set(components.map((one) => one["bom-ref"]));
  const dependencies = [...refs].map((ref) => {
    const inside = (carried.get(ref) ?? []).map((one) => vendoredComponent(one)["bom-ref"]);
    return { ref, dependsOn: [...known.dependencies(ref).filter((one) => refs.has(one)), ...inside] };
  });
  const indirect = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  const direct = [...refs].filter((ref) => known.isDirect(ref) || !indirect.has(ref));
  const { type, name, version, purl } = artefact;
  return {
    bomFormat: "CycloneDX",
    specVersion: SPEC_VERSION,
    serialNumber: serialNumber(name, version, components),
    version: 1,
    metadata: {
      tools: { components: [{ type: "application", name: "flagservice-release", version: await workspaceVersion() }] },
      component: { type, name, version, purl, "bom-ref": name, licenses: [{ license: { id: "Apache-2.0" } }] },
    },
    components,
    dependencies: [{ ref: name, dependsOn: direct }, ...dependencies],
  };
}

/** Everything that the tools have listed, by its package URL, and what depends on what. */
class Inventory {
  #components = new Map();
  #edges = new Map();
  #direct = new Set();

  constructor(boms) {
    for (const { metadata, components, dependencies } of boms) {
      const listed = components.flatMap(withNested);
      // The tools differ in what they escape.
      const purls = new Map(listed.map((one) => [one["bom-ref"], decodeURIComponent(one.purl)]));
      for (const one of listed) {
        const purl = purls.get(one["bom-ref"]);
        this.#components.set(purl, { ...one, "bom-ref": purl });
      }
      for (const { ref, dependsOn = [] } of dependencies) {
        const targets = dependsOn.map((target) => purls.get(target)).filter(Boolean);
        const isOurs = ref === metadata.component["bom-ref"] || ref.startsWith("path+");
        if (isOurs) for (const target of targets) this.#direct.add(target);
        else this.#edges.set(purls.get(ref), targets);
      }
    }
  }

  component(purl, { name }) {
    const found = this.#components.get(purl);
    if (!found) throw new Error(`No SBOM tool has listed ${purl}, which ${name} contains.`);
    return found;
  }

  dependencies(purl) {
    return this.#edges.get(purl) ?? [];
  }

  /** Whether something of this repository names it. */
  isDirect(purl) {
    return this.#direct.has(purl);
  }
}

function purlOf(type, { name, version }) {
  return `pkg:${type}/${name}@${version}`;
}

/** A UUID that follows from the contents, so that two builds write the same file. */
function serialNumber(...contents) {
  const hex = createHash("sha256").update(JSON.stringify(contents)).digest("hex");
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The crates of Cargo.lock as cargo-cyclonedx describes them: checksums, licences, addresses. */
async function crateBoms(note) {
  await ensureCargoCyclonedx();
  const name = "sbom-of-crates";
  const args = [
    "cyclonedx",
    "--format",
    "json",
    "--spec-version",
    SPEC_VERSION,
    "--target",
    "all",
    "--override-filename",
    name,
  ];
  const members = ["", "crates/campaigns", "crates/core", "crates/node", "crates/rules", "crates/server"];
  const files = members.map((member) => join(root, member, `${name}.json`));
  try {
    await run("cargo", args, { cwd: root, note, minutes: 5, env: { ...toolsEnvironment(), SOURCE_DATE_EPOCH: "0" } });
    return await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, "utf8"))));
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

/** The npm packages of the repository and of the documentation, as cyclonedx-npm describes them. */
async function npmBoms(note) {
  await ensureNodeModules(TOOLS);
  const folders = [root, join(root, "scripts", "docs")];
  return Promise.all(
    folders.map(async (folder) => {
      const file = join(root, "dist", ".work", `sbom-of-${folder === root ? "root" : "docs"}.json`);
      const options = [
        "--output-reproducible",
        "--no-validate",
        "--output-format",
        "JSON",
        "--spec-version",
        SPEC_VERSION,
      ];
      const args = [...options, "--output-file", file, join(folder, "package.json")];
      await run(join(TOOLS, "node_modules", ".bin", "cyclonedx-npm"), args, { cwd: folder, note, minutes: 5 });
      return JSON.parse(await readFile(file, "utf8"));
    }),
  );
}

/** cyclonedx-npm puts a package that is installed inside another into it. */
function withNested({ components = [], properties, ...component }) {
  // The properties say where it is on the disk.
  return [component, ...components.flatMap(withNested)];
}

function vendoredComponent({ name, version, licence, within }) {
  const purl = `pkg:generic/${name.toLowerCase()}@${version}`;
  const properties = [{ name: "flagservice:within", value: within }];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    licenses: [{ license: { id: licence } }],
    purl,
    properties,
  };
}

/** `image` is IMAGE@sha256:DIGEST. */
function imageComponent(image) {
  const [name, digest] = image.split("@sha256:");
  const hashes = [{ alg: "SHA-256", content: digest }];
  return { type: "container", "bom-ref": image, name, version: `sha256:${digest}`, hashes };
}
