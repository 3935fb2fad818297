// A temporary project outside this repository, with packed packages installed as users install them.
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";

/** Where the tests' own packages are installed. */
const PACKAGES = join(root, "tests", "packaging", "node_modules");
/** How long a program may take: a limit for what hangs, on a machine that does much else. */
const MINUTES = 15;
// Tests link peer dependencies where they need them.
const QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];

export class Project {
  constructor(folder, name) {
    this.folder = folder;
    /** The folder of the first installed package. */
    this.installed = this.path("node_modules", name);
  }

  /** Packs the packages and installs the tarballs, offline, in a new project. */
  static async create(names = ["flagservice-client"]) {
    const project = new Project(await realpath(await mkdtemp(join(tmpdir(), "flagservice-packaging-"))), names[0]);
    const { folder } = project;
    await project.write({ "package.json": JSON.stringify({ name: "throwaway", private: true, type: "module" }) });
    const packed = await npm(["pack", "--json", "--silent", ...names.map((name) => join(root, "dist", name))], folder);
    const tarballs = JSON.parse(packed).map(({ filename }) => join(folder, filename));
    await npm(["install", "--offline", "--silent", ...QUIET, ...tarballs], folder);
    return project;
  }

  remove() {
    return rm(this.folder, { recursive: true, force: true });
  }

  path(...names) {
    return join(this.folder, ...names);
  }

  /** Writes files: name → text. */
  async write(files) {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(this.path(name)), { recursive: true });
      await writeFile(this.path(name), text);
    }
  }

  /** Copies a folder into the project. */
  copy(folder, name) {
    return cp(folder, this.path(name), { recursive: true });
  }

  /** Links packages of the tests, as if they were installed. */
  async link(packages, from = PACKAGES) {
    for (const name of packages) {
      await mkdir(dirname(this.path("node_modules", name)), { recursive: true });
      await symlink(join(from, name), this.path("node_modules", name), "dir");
    }
  }

  /** Runs Node in the project until it exits by itself; returns its output. */
  node(args, env = {}) {
    return run(process.execPath, args, { cwd: this.folder, minutes: MINUTES, env });
  }
}

/** `--silent` in the arguments keeps standard error empty, so that the output of `--json` can be parsed. */
function npm(args, cwd) {
  return run("npm", args, { cwd, minutes: MINUTES, env: { npm_config_update_notifier: "false" } });
}
