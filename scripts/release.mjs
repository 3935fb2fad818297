// Checks and builds a release. Publishing is the workflow's work: .github/workflows/release.yml.
import { relative } from "node:path";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `npm run release -- [--check [--short | --reproducible]] [--online] [--final] [--build [--unchecked] [--repository URL]]

Without --build nothing is written but SBOMs: it checks, and says what --build would make. It publishes nothing.
--check          checks only: versions, changelog, lock files, licences, notices, hashes, SBOMs, sizes. Build first: npm run build
--short          leaves out what takes longer than seconds: cargo-deny, advisories, SBOMs, sizes
--reproducible   also builds the release twice, in two folders, and compares the bytes: npm run campaign -- reproducible
--online         fails if a database of advisories cannot be reached; without it, that is a line in the output
--final          the changelog has the date of the release, and the images of the container are given by digest in NODE_IMAGE,
                 RUST_IMAGE and BASE_IMAGE
--build          builds the artefacts into dist/release, with SBOMs, licence notices and SHA256SUMS
--unchecked      builds without the checks
--repository     the address of the repository, which the manifests name, as npm requires it for provenance
`;
const FLAGS = ["--check", "--short", "--reproducible", "--online", "--final", "--build", "--unchecked"];

/** What is wrong in each check: title → sentences. */
async function checks({ online, final, short }) {
  const { versionViolations, changelogViolations } = await import("./release/versions.mjs");
  const { lockViolations } = await import("./release/locks.mjs");
  const { noticeViolations, integrityViolations } = await import("./release/notices.mjs");
  const { imageViolations, pinViolations } = await import("./release/pins.mjs");
  const { crateAdvisories, denyViolations, packageAdvisories } = await import("./release/audits.mjs");
  const list = [
    ["Versions agree", () => versionViolations()],
    ["The changelog has the version", () => changelogViolations({ released: final })],
    ["Lock files are those of the manifests", () => lockViolations({ committed: !short })],
    ["Licences, names and sources of dependencies", (note) => command(["scripts/supply/check.mjs"], note)],
    ["Licence notices name everything inside each artefact", noticeViolations],
    ["The pages have the hashes of the scripts", integrityViolations],
    ["Workflow and container name what they use exactly", pinViolations],
  ];
  if (final) list.push(["Images of the container are given by digest", async () => imageViolations(process.env)]);
  if (short) return list;
  return [
    ...list,
    ["Sizes are within their budgets", (note) => command(["scripts/size.mjs"], note)],
    ["cargo-deny: licences, names, sources", denyViolations],
    ["Advisories about crates", (note) => reached(crateAdvisories(note), online)],
    ["Advisories about npm packages", (note) => reached(packageAdvisories(note), online)],
    ["SBOMs list everything inside each artefact", sbomViolations],
  ];
}

async function command(args, note) {
  try {
    await run("node", args, { cwd: root, note, minutes: 10 });
    return [];
  } catch (error) {
    return [error.output.trimEnd()];
  }
}

/** A database that is out of reach is a violation only where it has to be reached. */
async function reached(audit, online) {
  const { unreachable, violations } = await audit;
  if (unreachable === undefined) return violations;
  const sentence = `${unreachable} does not reach its database.`;
  return online ? [sentence] : new NotChecked(`${sentence} The release workflow checks it.`);
}

/** The outcome of a check that could not be made, with the reason. */
class NotChecked {
  constructor(reason) {
    this.reason = reason;
  }
}

/** Writing fails for anything inside an artefact that no tool has listed. */
async function sbomViolations(note) {
  const { FOLDER } = await import("./release/build.mjs");
  const { writeSboms } = await import("./release/sboms.mjs");
  try {
    await writeSboms(FOLDER, { note, baseImage: process.env.BASE_IMAGE });
    return [];
  } catch (error) {
    return [error.message, error.output ?? ""].join("\n").trim().split("\n");
  }
}

async function check(options) {
  let failed = 0;
  for (const [title, violations] of await checks(options)) {
    const began = Date.now();
    const found = await violations(() => {});
    const line = `${title}  ${((Date.now() - began) / 1000).toFixed(1)} s`;
    if (found instanceof NotChecked) {
      process.stdout.write(`  – ${line}: not checked. ${found.reason}\n`);
      continue;
    }
    if (found.length > 0) failed += 1;
    process.stdout.write(`  ${found.length > 0 ? "✗" : "✓"} ${line}\n`);
    for (const sentence of found) process.stdout.write(`${sentence.replaceAll(/^/gm, "    ")}\n`);
  }
  if (failed > 0) throw new Error(`${failed} checks of the release failed.`);
}

async function build(repository) {
  const { buildRelease } = await import("./release/build.mjs");
  const folder = await buildRelease({ baseImage: process.env.BASE_IMAGE, repository });
  process.stdout.write(`${relative(root, folder)} has the release; its SHA256SUMS lists every file.\n`);
}

async function main(args) {
  const at = args.indexOf("--repository");
  const [, repository] = at < 0 ? [] : args.splice(at, 2);
  const unknown = args.find((one) => !FLAGS.includes(one));
  if (unknown !== undefined || (at >= 0 && !/^https:\/\/\S+$/.test(repository ?? ""))) {
    process.stdout.write(HELP);
    process.exitCode = unknown === "--help" ? 0 : 2;
    return;
  }
  const has = (flag) => args.includes(`--${flag}`);
  await ensureNodeModules();
  if (has("build")) await build(repository);
  if (!has("unchecked")) await check({ online: has("online"), final: has("final"), short: has("short") });
  if (has("reproducible")) {
    await step("two builds in two folders", (note) => {
      return run("node", ["tests/campaign.mjs", "reproducible"], { cwd: root, note, minutes: 90 });
    });
  }
  if (!has("build") && !has("check")) {
    process.stdout.write(
      "Nothing is built. --build builds the artefacts into dist/release; the workflow publishes them.\n",
    );
  }
}

script(main);
