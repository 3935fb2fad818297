// A read-only token: the dearest reads, side by side, and responses that nobody reads.
import { searchedText, slowCompilations, slowSearches, targeting } from "./rules.mjs";
import { pause } from "./sender.mjs";

/** Connections whose responses are not read, and how many are opened at once. */
const UNREAD = 400;
const UNREAD_AT_ONCE = 20;
const ENCODINGS = ["identity", "gzip", "br"];
/** As much as the body of a preview can have: its user has at most 16 KB. */
const USER_TEXT = 16_000;

/** All requests are of one caller, and there are more than the caller may have running. */
export async function attack(sender, { token, project }) {
  const base = `/api/v1/projects/${project}`;
  const read = (lanes, paths) =>
    sender.repeat(lanes, (number) => {
      const headers = { "accept-encoding": ENCODINGS[number % ENCODINGS.length] };
      return sender.send("GET", paths[number % paths.length], { token, headers });
    });
  await Promise.all([
    previews(sender, token, base, 8),
    read(
      8,
      ["staging&target=production", "production&target=development"].map(
        (pair) => `${base}/environments/compare?source=${pair}`,
      ),
    ),
    read(8, lists(base)),
    read(8, audits(project)),
    read(24, [`${base}/features/feature-0001/environments/staging`, `${base}/features/feature-0002`, "/api/v1/me"]),
    read(4, [`${base}/audiences/shared`, `${base}/audiences?limit=200`]),
    // The only write that a reader may do.
    sender.repeat(4, (number) =>
      sender.send("PUT", `${base}/preferences`, { token, body: { favourites: favourites(number), views: [] } }),
    ),
    unread(sender, token, base),
  ]);
}

/** As many as there may be, others each time. */
function favourites(number) {
  return Array.from({ length: 1_000 }, (_, index) => `favourite-${number}-${index}`);
}

function previews(sender, token, base, lanes) {
  const users = [searchedText(USER_TEXT), searchedText(1_000)];
  return sender.repeat(lanes, (number) => {
    const conditions = number % 2 === 0 ? slowSearches(number) : slowCompilations(number);
    const user = { id: "alice", attributes: { plan: users[number % users.length] } };
    const body = { user, targeting: targeting(conditions) };
    return sender.send("POST", `${base}/features/feature-0001/environments/staging/preview`, { token, body });
  });
}

function lists(base) {
  const words = ["feature", "f 1 a", "nothing of that", "campaign feature 9"];
  return [
    ...words.map((word) => `${base}/features?limit=200&environments=true&search=${encodeURIComponent(word)}`),
    `${base}/environments/staging/goals?limit=200`,
    `${base}/features?limit=200&environments=true&tag=campaign`,
  ];
}

function audits(project) {
  return [
    "/api/v1/audit-log?limit=200",
    `/api/v1/audit-log?limit=200&resource=projects/${project}&from=2020-01-01T00:00:00Z`,
    "/api/v1/audit-log?limit=200&environmentKey=staging",
    "/api/v1/audit-log?limit=200&resource=projects/none&userId=nobody",
  ];
}

/** Keeps connections open whose responses are large and not read. The server closes each after a while. */
function unread(sender, token, base) {
  const path = `${base}/environments/compare?source=staging&target=production`;
  const open = new Set();
  return sender.repeat(1, async () => {
    for (let number = 0; number < UNREAD_AT_ONCE && open.size < UNREAD; number += 1) {
      const socket = sender.neverRead(path, { token });
      open.add(socket);
      socket.on("close", () => open.delete(socket));
    }
    await pause(200);
  });
}
