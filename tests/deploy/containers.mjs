// The containers of manifests and of the compose file, in one form: arguments, variables, folders, probes, rights.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";

/** The user of the image. */
export const IMAGE_USER = Number(
  readFileSync(join(root, "contrib", "Containerfile"), "utf8").match(/^USER (\d+):\1$/m)[1],
);

/** The containers of the pods of rendered manifests, each with the number of its replicas. */
export function containersOfManifests(manifests) {
  const workloads = manifests.filter(({ spec }) => spec?.template !== undefined);
  return workloads.flatMap(({ spec: { replicas, template } }) =>
    template.spec.containers.map((container) => ({
      name: container.name,
      replicas,
      args: container.args,
      variables: container.env.map(({ name, value, valueFrom }) => ({ name, value, secret: valueFrom?.secretKeyRef })),
      mounts: container.volumeMounts.map(({ name, mountPath }) => ({
        path: mountPath,
        ...filesOf(template.spec.volumes?.find((volume) => volume.name === name)?.secret),
        // A volume belongs to root, and to a group to which the container belongs.
        owner: 0,
        group: template.spec.securityContext.fsGroup ?? 0,
      })),
      rights: rightsOf(template.spec.securityContext, container.securityContext),
      probes: ["startupProbe", "livenessProbe", "readinessProbe"].map((name) => container[name].httpGet),
      ports: Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort])),
    })),
  );
}

/** The containers of ours in a compose file. */
export function containersOfCompose({ services }) {
  const ours = Object.entries(services).filter(([name]) => name !== "postgres");
  return ours.map(([name, service]) => ({
    name,
    replicas: 1,
    args: service.command,
    variables: Object.entries(service.environment).map(([name, value]) => ({ name, value: String(value) })),
    mounts: service.volumes.map((volume) => ({
      path: typeof volume === "string" ? volume.split(":")[1] : volume.target,
      files: {},
      mode: 0o600,
      // An empty volume inherits the owner of the image's folder.
      owner: IMAGE_USER,
      group: IMAGE_USER,
    })),
    rights: {
      user: IMAGE_USER,
      group: IMAGE_USER,
      groups: [],
      readOnly: service.read_only === true,
      dropsAll: service.cap_drop?.[0] === "ALL",
      noNewPrivileges: service.security_opt?.includes("no-new-privileges:true") === true,
    },
    // The file has $$ for a dollar sign of the command.
    healthCheck: service.healthcheck.test.slice(1).map((word) => word.replaceAll("$$", "$")),
    probes: [],
    ports: { http: 7300, metrics: 7301 },
  }));
}

/** The arguments and variables of a container that its command does not know. `options`: those of each command. */
export function unknownSettings({ name, args: [command, ...args], variables }, options) {
  const known = options[command];
  if (known === undefined) return [`${name}: ${command}`];
  const flags = args.filter((argument) => argument.startsWith("--")).map((argument) => argument.slice(2).split("=")[0]);
  const unknown = [
    ...flags.filter((flag) => !known.flags.has(flag)).map((flag) => `--${flag}`),
    ...variables.map((variable) => variable.name).filter((name) => !known.variables.has(name)),
  ];
  return unknown.map((setting) => `${name}: ${command} has no ${setting}`);
}

/** Path below the mount → the Secret's name and key; and the mode of the files. */
function filesOf(secret) {
  const items = secret?.items ?? [];
  const files = items.map(({ key, path }) => [path, { name: secret.secretName, key }]);
  return { files: Object.fromEntries(files), mode: secret?.defaultMode ?? 0o644 };
}

function rightsOf(
  { runAsUser, runAsGroup, fsGroup },
  { readOnlyRootFilesystem, capabilities, allowPrivilegeEscalation },
) {
  return {
    user: runAsUser ?? IMAGE_USER,
    group: runAsGroup ?? IMAGE_USER,
    groups: fsGroup === undefined ? [] : [fsGroup],
    readOnly: readOnlyRootFilesystem === true,
    dropsAll: capabilities?.drop?.[0] === "ALL",
    noNewPrivileges: allowPrivilegeEscalation === false,
  };
}
