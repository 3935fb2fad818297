// The Helm chart: Kubernetes accepts what it renders, the program knows what it is given, and bad values are rejected.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { run } from "../../scripts/processes.mjs";
import { ensureKubernetesValidate, root } from "../../scripts/setup.mjs";
import { containersOfManifests, IMAGE_USER, unknownSettings } from "./containers.mjs";
import { CHART, KUBERNETES, lint, rejection, render } from "./helm.mjs";
import { options } from "./program.mjs";
import { REJECTED, VALUE_SETS } from "./value-sets.mjs";

/** Set by the chart itself, from a Secret, or for development. */
const NOT_SETTINGS = {
  serve: [
    ...["listen", "metrics-listen", "database-url", "key-file", "config"],
    ...["oidc-client-secret", "oidc-client-secret-file", "pages", "admin-pages", "documentation", "help"],
  ],
  edge: ["listen", "metrics-listen", "upstream", "edge-key", "previous-edge-key", "data", "config", "help"],
};

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "flagservice-chart-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Has kubernetes-validate check manifests, with unknown fields as errors; resolves to what it printed. */
async function validate(text, kubernetes) {
  const file = join(folder, "manifests.yaml");
  await writeFile(file, text);
  return run(await ensureKubernetesValidate(), ["--kubernetes-version", kubernetes, "--strict", file]);
}

for (const [name, values] of Object.entries(VALUE_SETS)) {
  describe(name, () => {
    test("is what Kubernetes accepts, in the oldest and the newest release", async () => {
      await lint(values);
      for (const kubernetes of KUBERNETES) {
        const { text, manifests } = await render(values, { kubernetes });
        const accepted = (await validate(text, kubernetes)).match(/^INFO .* passed for resource /gm);
        // The manifest of the operator of Prometheus is none of Kubernetes'.
        const own = manifests.filter(({ kind }) => kind !== "ServiceMonitor");
        assert.equal(accepted.length, own.length);
      }
    });

    test("gives the program only arguments and variables that it knows", async () => {
      const containers = containersOfManifests((await render(values)).manifests);
      assert.ok(containers.length > 0);
      const known = await options();
      assert.deepEqual(
        containers.flatMap((container) => unknownSettings(container, known)),
        [],
      );
    });

    test("has no Secret, and refers only to what it has or what the values name", async () => {
      const { manifests } = await render(values);
      assert.ok(manifests.every(({ kind }) => kind !== "Secret"));
      assert.deepEqual(brokenReferences(manifests), []);
    });

    test("runs as a user without rights, on file systems that it cannot write to", async () => {
      const pods = (await render(values)).manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
      for (const pod of pods) {
        const { runAsNonRoot, runAsUser, runAsGroup, fsGroup, seccompProfile } = pod.securityContext;
        assert.deepEqual([runAsNonRoot, seccompProfile.type], [true, "RuntimeDefault"]);
        assert.deepEqual([runAsUser, runAsGroup, fsGroup], Array(3).fill(IMAGE_USER));
        assert.equal(pod.automountServiceAccountToken, false);
        for (const { securityContext, resources } of pod.containers) {
          const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext;
          assert.deepEqual([allowPrivilegeEscalation, readOnlyRootFilesystem], [false, true]);
          assert.deepEqual(capabilities, { drop: ["ALL"] });
          assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
        }
      }
    });
  });
}

for (const [name, [values, message]] of Object.entries(REJECTED)) {
  test(`rejected with a message that names the value: ${name}`, async () => {
    // Helm breaks no lines, but the reporter of a failed test does.
    assert.match((await rejection(values)) ?? "nothing was rejected", message);
  });
}

test("the settings of a role are the flags of its command", async () => {
  const { definitions } = JSON.parse(await readFile(join(CHART, "values.schema.json"), "utf8"));
  const known = await options();
  for (const command of ["serve", "edge"]) {
    const flags = [...known[command].flags].filter((flag) => !NOT_SETTINGS[command].includes(flag));
    assert.deepEqual(Object.keys(definitions[`${command}Settings`].properties).sort(), flags.sort());
  }
});

test("large numbers and lists become arguments as the program reads them", async () => {
  const [origin] = containersOfManifests((await render(VALUE_SETS.everything)).manifests);
  const settings = origin.args.filter((argument) => /^--(goals|trusted)/.test(argument));
  assert.deepEqual(settings, ["--goals-per-minute=5000000", "--trusted-proxy=10.0.0.0/8", "--trusted-proxy=fd00::/8"]);
});

test("SQLite's temporary files are on the volume of the database", async () => {
  const [origin] = containersOfManifests((await render(VALUE_SETS["an origin on SQLite"])).manifests);
  const value = (name) => origin.variables.find((variable) => variable.name === name)?.value;
  assert.equal(value("FLAGSERVICE_DATABASE_URL"), `sqlite:${value("SQLITE_TMPDIR")}/flagservice.db`);
});

test("the documentation has every value", async () => {
  const page = await readFile(join(root, "docs", "operation.md"), "utf8");
  const documented = new Set(Array.from(page.matchAll(/`([a-zA-Z.]+)`/g), ([, name]) => name));
  const values = parse(await readFile(join(CHART, "values.yaml"), "utf8"));
  const missing = leaves(values).filter(
    (name) => !documented.has(name.replace(/^(origin|edge)\./, "")) && !documented.has(name),
  );
  assert.deepEqual(missing, []);
});

/** The paths of all values; a Secret or an Ingress is one value. */
function leaves(value, path = []) {
  const isGroup = value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0;
  const isWhole = /(Secret|secret|resources|service|ingress|volume)$/.test(path.at(-1) ?? "");
  if (!isGroup || isWhole) return [path.join(".")];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

/** One sentence for each reference between manifests that leads nowhere. */
function brokenReferences(manifests) {
  const named = (kind, name) => manifests.find((one) => one.kind === kind && one.metadata.name === name);
  const workloads = manifests.filter(({ spec }) => spec?.template);
  const matches = (labels, selector) => Object.entries(selector).every(([key, value]) => labels?.[key] === value);
  const selected = (selector) => workloads.filter(({ spec }) => matches(spec.template.metadata.labels, selector));
  const broken = [];
  for (const { kind, metadata, spec } of manifests) {
    const fail = (what) => broken.push(`${kind} ${metadata.name}: ${what}`);
    if (kind === "Service") {
      const pods = selected(spec.selector).flatMap(({ spec }) => spec.template.spec.containers);
      const ports = spec.ports.map(({ targetPort }) => targetPort);
      if (pods.length !== 1) fail(`selects ${pods.length} kinds of pods`);
      if (!ports.every((port) => pods[0]?.ports.some(({ name }) => name === port))) fail(`no port ${ports}`);
    }
    if (kind === "PodDisruptionBudget" && selected(spec.selector.matchLabels).length !== 1) fail("selects no pods");
    if (kind === "NetworkPolicy" && selected(spec.podSelector.matchLabels).length !== 1) fail("selects no pods");
    if (kind === "StatefulSet" && !named("Service", spec.serviceName)) fail(`no service ${spec.serviceName}`);
    if (kind === "Ingress") {
      for (const { http } of spec.rules) {
        const { name, port } = http.paths[0].backend.service;
        if (!named("Service", name)?.spec.ports.some((one) => one.name === port.name)) fail(`no service ${name}`);
      }
    }
    if (kind === "ServiceMonitor") {
      const { port } = spec.endpoints[0];
      const found = manifests.filter(
        (one) => one.kind === "Service" && matches(one.metadata.labels, spec.selector.matchLabels),
      );
      if (found.length !== workloads.length) fail(`selects ${found.length} services of ${workloads.length}`);
      if (!found.every((one) => one.spec.ports.some(({ name }) => name === port))) fail(`no port ${port}`);
    }
    if (spec?.template) {
      const pod = spec.template.spec;
      const volumes = [...(pod.volumes ?? []), ...(spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata)];
      for (const { name } of pod.containers[0].volumeMounts) {
        if (!volumes.some((volume) => volume.name === name)) fail(`no volume ${name}`);
      }
      if (!named("ServiceAccount", pod.serviceAccountName)) fail(`no service account ${pod.serviceAccountName}`);
      if (!matches(spec.template.metadata.labels, spec.selector.matchLabels)) fail("does not select its own pods");
    }
  }
  return broken;
}
