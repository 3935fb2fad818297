// The compose file: docker-compose accepts it, and the program knows what it is given.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { resolved } from "./compose.mjs";
import { containersOfCompose, unknownSettings } from "./containers.mjs";
import { options } from "./program.mjs";

const SETTINGS = { FLAGSERVICE_IMAGE: "registry.example/flagservice-server:2.6.0", POSTGRES_PASSWORD: "secret" };

let folder;
let composed;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "flagservice-compose-"));
  composed = await resolved({ folder, env: SETTINGS });
});
after(() => rm(folder, { recursive: true, force: true }));

test("the file has PostgreSQL, an origin and two edges, which have a volume each", async () => {
  const { services, volumes } = composed;
  assert.deepEqual(Object.keys(services).sort(), ["edge-1", "edge-2", "origin", "postgres"]);
  assert.deepEqual(Object.keys(volumes).sort(), Object.keys(services).sort());
  for (const name of Object.keys(services)) {
    assert.match(JSON.stringify(services[name].volumes), new RegExp(`"${name}:/var/lib/|"source":"${name}"`));
    assert.ok(services[name].healthcheck.test.length > 1, name);
  }
  assert.match(services.postgres.image, /^docker\.io\/library\/postgres:\d+\.\d+-\w+$/);
});

test("the program knows every argument and variable", async () => {
  const containers = containersOfCompose(composed);
  const known = await options();
  assert.equal(containers.length, 3);
  assert.deepEqual(
    containers.flatMap((container) => unknownSettings(container, known)),
    [],
  );
});

test("containers of ours cannot write to their root file system, have no capabilities, and no port beyond this machine", async () => {
  const { services, networks } = composed;
  const { postgres, ...ours } = services;
  for (const [name, service] of Object.entries(ours)) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual([service.cap_drop, service.security_opt], [["ALL"], ["no-new-privileges:true"]], name);
    assert.match(JSON.stringify(service.ports), /^\["127\.0\.0\.1:|"host_ip":"127\.0\.0\.1"/, name);
  }
  assert.equal(postgres.ports, undefined);
  assert.deepEqual([Object.keys(postgres.networks), networks.database.internal], [["database"], true]);
});

test("a setting that is missing is named, with the file where it belongs", async () => {
  for (const missing of Object.keys(SETTINGS)) {
    const { [missing]: _, ...rest } = SETTINGS;
    await assert.rejects(resolved({ folder, env: { ...rest, [missing]: "" } }), ({ output }) =>
      /Set it in \.env to/.test(output),
    );
  }
});
