// Runs the program with the rights of a container: its user, no capabilities, and nothing to write to but its volumes. This needs root on
// Linux; elsewhere it runs as it is, with the rights of the tests.
import { chmod, chown, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { once } from "../../scripts/setup/once.mjs";

/** Arguments: the program's name in the container, the program, the volumes, an empty one, the rights, and the command. */
const SCRIPT = `
mount --make-rprivate /
mount --bind "$2" "$1"; name=$1; shift 2
for volume; do
  [ -n "$volume" ] || break
  mount --bind "$volume" "$volume"; shift
done
shift
if [ "$1" = read-only ]; then
  mount --options remount,ro,bind /
  # A file system that is mounted twice has two lines.
  place=$(findmnt --noheadings --output TARGET --target "$(dirname "$name")" | tail -n 1)
  [ "$place" = / ] || mount --options remount,ro,bind "$place"
fi
shift
exec setpriv "$@"
`;

/** Whether processes can get the rights of a container here. */
export const canRestrict = once(async () => {
  if (process.platform !== "linux" || process.getuid() !== 0) return false;
  return run("unshare", ["--mount", "setpriv", "--no-new-privs", "true"]).then(
    () => true,
    () => false,
  );
});

/** Gives a volume to the container, as the cluster or the container engine does. `mode` is that of the files. */
export async function giveVolume(folder, { owner, group }, mode) {
  if (!(await canRestrict())) return;
  for (const name of await readdir(folder)) {
    await chown(join(folder, name), owner, group);
    await chmod(join(folder, name), mode);
  }
  await chown(folder, owner, group);
  await chmod(folder, owner === 0 ? 0o2775 : 0o700);
}

/** The command that runs a program with rights. `place` is a folder for what that needs, `volumes` are the folders to write to. */
export async function withRights(program, args, { rights, place, volumes }) {
  if (!(await canRestrict())) return [program, args];
  // The folder of the program may be one that only root can enter.
  const name = join(place, "flagservice-server");
  await writeFile(name, "", { flag: "a" });
  await chmod(place, 0o755);
  const options = [`--reuid=${rights.user}`, `--regid=${rights.group}`];
  options.push(rights.groups.length > 0 ? `--groups=${rights.groups.join(",")}` : "--clear-groups");
  if (rights.dropsAll) options.push("--inh-caps=-all", "--bounding-set=-all");
  if (rights.noNewPrivileges) options.push("--no-new-privs");
  const write = rights.readOnly ? "read-only" : "writable";
  const script = ["-e", "-c", SCRIPT, "rights", name, program, ...volumes, "", write, ...options, name, ...args];
  return ["unshare", ["--mount", "bash", ...script]];
}
