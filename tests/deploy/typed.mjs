// The commands of docs/operation.md that install the service, typed with container engine and cluster replaced by a place for processes.
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";
import { blocksOf } from "../support/docs/blocks.mjs";
import { ensureHelm } from "./helm.mjs";
import { programFolder } from "./program.mjs";

const PAGE = "docs/operation.md";

/** `docker compose exec` runs a command with the variables of the origin; everything else is done by `onCommand`. */
const DOCKER = `docker() { [ "$2" != exec ] || { shift 4; "$@"; }; }`;

/** A Secret is a folder with a file for each key. Manifests are rendered into a file. */
const KUBERNETES = `
kubectl() {
  case "$1 $2 $3" in
    "create secret generic")
      folder="secrets/$4"; shift 4; mkdir -p "$folder"
      for given; do
        pair="\${given#--from-*=}"
        case "$given" in
          --from-literal=*) printf %s "\${pair#*=}" > "$folder/\${pair%%=*}" ;;
          --from-file=*) cp "$pair" "$folder/" ;;
          *) echo "unknown: $given" >&2; return 1 ;;
        esac
      done ;;
    "exec deployment/flags-origin --") shift 3; "$@" ;;
    "rollout status deployment/flags-origin") ;;
    *) echo "unknown: kubectl $*" >&2; return 1 ;;
  esac
}
helm() { command "$HELM" template "\${@:2}" --kube-version 1.27 > manifests.yaml; }
`;

/** The blocks of commands of the section with this heading. */
export async function section(heading) {
  const blocks = (await blocksOf(PAGE)).filter((block) => block.heading === heading && block.language === "sh");
  if (blocks.length === 0) throw new Error(`${PAGE} has no commands below ${heading}.`);
  return blocks.map(({ code }) => code);
}

/**
 * Types a block in a folder. `deploys(line)` says which lines change what runs; after such a line `onDeploy(line)` is awaited.
 * `variables()` gives those of the origin.
 */
export async function type(code, { folder, deploys, onDeploy, variables }) {
  let lines = [];
  const flush = async () => {
    if (lines.length === 0) return;
    const env = { ...variables(), HELM: await ensureHelm(), PATH: `${await programFolder()}:${process.env.PATH}` };
    const script = `${DOCKER}\n${KUBERNETES}\n${lines.join("\n")}`;
    lines = [];
    await run("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: folder, env });
  };
  for (const line of code.trimEnd().split("\n")) {
    lines.push(line);
    if (!deploys(line)) continue;
    await flush();
    await onDeploy(line);
  }
  await flush();
}

/** Where the chart is, from the folder of the documented commands. */
export const CONTRIB = join(root, "contrib");
