// What a node says of itself in its metrics: the versions that it has, and the goals that wait for its upstream.
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

const POLL_MS = 10;

/** Waits until the last of a chain of edges has the versions that the origin has now. */
export async function caughtUp(origin, edge) {
  const current = await versions(origin);
  await until(`${edge} has the versions of ${origin}`, async () => {
    const known = await versions(edge);
    // An environment that the edge does not have may be one that its key does not reach.
    return [...known].every(
      ([environment, version]) => current.has(environment) && version >= current.get(environment),
    );
  });
}

/** Waits until no goal waits at any of these edges. The last one of the chain comes first. */
export async function reported(edges) {
  for (const edge of edges)
    await until(`${edge} has reported all goals`, async () => {
      const [, count] = (await metrics(edge)).match(/^flagservice_report_files (\d+)$/m);
      return Number(count) === 0;
    });
}

/** The version of each environment in memory, by the environment's id. */
export async function versions(node) {
  const lines = (await metrics(node)).matchAll(/^flagservice_environment_version\{environment="([^"]+)"\} (\d+)$/gm);
  return new Map(Array.from(lines, ([, environment, version]) => [environment, Number(version)]));
}

/** How many streams are open. */
export async function openStreams(node) {
  const counts = (await metrics(node)).matchAll(/^flagservice_open_streams\{.*\} (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

async function metrics(node) {
  const response = await fetch(`${node}/metrics`);
  if (!response.ok) throw new Error(`${node}/metrics: ${response.status}`);
  return response.text();
}

async function until(what, holds) {
  const deadline = Date.now() + HANG_TIMEOUT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Not within ${HANG_TIMEOUT_MS / 1000} s: ${what}`);
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}
