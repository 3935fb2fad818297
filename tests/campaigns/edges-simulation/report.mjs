// The page of the campaign edges-simulation.
import { cpus } from "node:os";
import { after, perSecond } from "./plots.mjs";

/** What a message has beside its text, in bytes: a chunk of HTTP (8), a record of TLS 1.3 (22), and the headers of TCP and IPv4 (52). */
const FRAMING = 82;
/** From docs/campaigns/streams.md: a stream's memory, and the time to send a change on it. */
const STREAM_KIB = 12.2;
const SEND_US = 20;
const MILLION = 1_000_000;
const FIGURE = "edges-simulation";

const DEFECTS = {
  "older-version": "a follower that does not say what it has, and accepts an older version",
  "clients-without-spread": "a backoff without spread",
  "lost-revocation": "an edge that forwards a version, but not its revocation of a key",
  "lost-age": "an edge that says that what it has is new, although its upstream is away",
  "hasty-rejection": "an edge that has nothing yet and tells other edges that their key is unknown",
};

export function report(results) {
  return [summary(results), invariants(results), propagation(results), reconnection(results), cost(results)].join("\n");
}

function summary({ result, repeated, full, histories }) {
  const { counts, seconds } = result;
  const all = histories.toLocaleString("en");
  const isPart =
    result.histories < histories
      ? ` The time of this run was limited (\`--minutes\`): a full one\nhas ${all} histories.`
      : "";
  const row = (name, key) => `| ${name} | ${format(counts[key])} | ${format(full.counts[key] ?? 0)} |`;
  return `# ${format(result.histories)} simulated histories of edges and clients

\`npm run campaign -- edges-simulation\`. A history is a tree on simulated time: the origin, edges that follow it, edges that follow these,
and clients. The code of the edges' follower, of what a node sends to an edge, and of the browser client is that of the product; network,
processes, files and time are simulated (docs/decisions/0042). Nodes end with or without their files, gracefully or with their machine;
partitions, dead connections, restores of the origin's database, revoked client keys and edge keys, pages that open. In one of 64
histories the origin is away for a day. Seeds ${result.first} to ${result.last}, ${seconds.toFixed(0)} s on ${cpus().length} cores, which
other work may share.${isPart}

Histories of full size have 1,000 edges, of which 31 follow the origin, and 1,000,000 clients, each with
the whole session of the browser client.

| | small | full size |
|---|--:|--:|
| Histories | ${format(result.histories)} | ${format(full.histories)} |
| in which an invariant did not hold | 0 | 0 |
${row("Edges", "edges")}
${row("Clients", "clients")}
| Simulated time | ${hours(counts)} h | ${hours(full.counts)} h |
${row("Events", "happenings")}
${row("Attempts of edges to connect", "attempts")}
${row("Loads", "loads")}
${row("Versions written", "changes")}
${row("Restores of the database", "restores")}
| Histories that ran twice, with the same trace | ${format(repeated.repeated)} | |
`;
}

function invariants({ result, full, found }) {
  const rows = found.map(
    ({ defect, seed, violation }) => `| ${DEFECTS[defect]} (\`${defect}\`) | ${seed} | ${violation.slice(0, 150)} |`,
  );
  const [median, most] = result.untilCurrent.map((ms) => (ms / 1_000).toFixed(2));
  const longest = Math.max(result.longestUntilCurrent, full.longestUntilCurrent).toFixed(2);
  const [clientPeak, edgePeak] = ["clientPeak", "edgePeak"].map((key) => Math.max(result[key], full[key]).toFixed(1));
  return `## What holds

1. The version of a client never falls within an epoch, also when it moves to an edge that is behind. No process of an edge serves a lower
   version of an epoch than before.
2. Every edge is current 2 s after the last fault has ended. The last edge of a history was current after ${median} s in the median,
   ${most} s in 99%, at most ${longest} s.
3. A revoked client key counts on a connected edge for at most 5 s, and on a disconnected one no longer than its \`--max-age\` after it
   last had a path to the origin. An edge whose own key is revoked serves nothing.
4. When all edges of many clients, all edges of the first level, or the origin come back, at most four times as many clients per second and
   edges per 0.1 s return as with an even spread over the longest delay. The highest was ${clientPeak} times for clients,
   ${edgePeak} times for edges, where a few edges are a multiple by chance.
5. An edge that had an environment, in memory or in its files, answers every load, however long the origin is away, unless its own
   \`--max-age\` has passed.
6. 150 s after the last fault, every client has what the origin has.

Defects that were planted, and the first history that finds each:

| defect | seed | what did not hold |
|---|--:|---|
${rows.join("\n")}

\`npm run campaign -- edges-simulation --seed 17\` repeats a history and prints everything that happens in it.

**What does not hold:** a client that moves from an edge that has learned of a restore to one that has not gets the values of before the
restore once more, until it moves again or that edge connects. Versions of two epochs cannot be compared. It happened
${format(result.counts.returns_to_an_epoch)} times.
`;
}

function propagation({ measured }) {
  const { propagation, shape } = measured;
  const shares = [0.5, 0.9, 0.99, 1];
  const row = (name, { percentiles }) => {
    const cells = shares.map((share) => percentiles.find(([known]) => known === share)[1].toFixed(0));
    return `| ${name} | ${cells.join(" | ")} |`;
  };
  return `## A change travels

From the origin's change until an edge or a client has it, in milliseconds, for
${propagation.firstLevel.count / shape.firstLevel} changes in a tree of
${format(shape.firstLevel + shape.secondLevel)} edges and ${format(shape.clients)} clients. One way through the
network takes 5 to 60 ms between edges and 2 to 50 ms to clients, evenly spread; a node needs ${SEND_US} µs for each message that it
sends, as measured in [streams](streams.md).

| | half | 90% | 99% | all |
|---|--:|--:|--:|--:|
${row("Edges of the first level", propagation.firstLevel)}
${row("Edges of the second level", propagation.secondLevel)}
${row("Clients", propagation.clients)}

![The share of edges and clients that have a change, by the time after it](${FIGURE}-propagation.svg)
`;
}

function reconnection({ measured }) {
  const { origin, firstLevel, all, clientWindowMs } = measured;
  const window = clientWindowMs / 1_000;
  const clients = (outage) => perSecond(after(outage.clients, outage.awaySeconds));
  const row = (name, counts, bins) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const highest = Math.max(...counts, 0);
    const even = total / bins;
    const last = counts.findLastIndex((count) => count > 0) + 1;
    return `| ${name} | ${format(total)} | ${format(highest)} | ${even.toFixed(1)} | ${(highest / even).toFixed(1)} | ${last} |`;
  };
  const edges = (bins, outage) => after(bins, outage.awaySeconds).slice(0, 30);
  const perSecondAtOrigin = origin.attemptsAtOrigin.length
    ? origin.attemptsAtOrigin.slice(100).reduce((sum, count) => sum + count, 0) / (origin.awaySeconds - 10)
    : 0;
  return `## Who comes back when

Clients have delays of up to 30 s, edges of 0.4 to 0.8 s (docs/decisions/0042). "Even" is the count with an even spread over the longest
delay: ${window.toFixed(0)} s for clients after 60 s, 0.8 s for edges.

| after | return | most at once | even | times even | last after, steps |
|---|--:|--:|--:|--:|--:|
${row("all edges away for 60 s: clients per second", clients(all), window)}
${row("one edge of the first level away for 60 s: its clients per second", clients(firstLevel), window)}
${row("the same: edges of the second level per 0.1 s", edges(firstLevel.secondLevel, firstLevel), 8)}
${row("origin away for 10 minutes: edges of the first level per 0.1 s", edges(origin.firstLevel, origin), 8)}

While the origin is away, its 31 edges try to connect ${perSecondAtOrigin.toFixed(0)} times per second. No client notices.

![Clients and edges that come back after outages, beside an even spread and four times that](${FIGURE}-reconnection.svg)
`;
}

function cost({ measured }) {
  const { sizes, shape } = measured;
  const edges = shape.firstLevel + shape.secondLevel;
  const wire = (bytes) => bytes + FRAMING;
  const perHour = (everyMs) => 3_600_000 / everyMs;
  const megabytes = (bytes) => (bytes < 1e7 ? (bytes / 1e6).toFixed(1) : format(Math.round(bytes / 1e6)));
  const clientBeats = MILLION * perHour(sizes.clientBeatMs);
  const edgeBeats = edges * perHour(sizes.edgeBeatMs);
  const row = (name, messages, bytes) => `| ${name} | ${format(messages)} | ${megabytes(messages * wire(bytes))} MB |`;
  const sized = [1_000, 5_000, 10_000, 50_000].map((streams) => {
    const memory = (streams * STREAM_KIB) / 1024;
    const change = (streams * SEND_US) / 1_000;
    const returning = (streams / 30) * 2;
    const cells = [Math.ceil(MILLION / streams), `${memory.toFixed(0)} MiB`, `${change.toFixed(0)} ms`];
    return `| ${format(streams)} | ${cells.join(" | ")} | ${(1_000 / change).toFixed(0)} | ${returning.toFixed(0)} |`;
  });
  return `## What a million clients cost

Lengths of messages as the server's code writes them, in an environment of ${sizes.features} features. For an edge: a bundle with everything
${format(sizes.wholeBundle)} bytes, with one feature ${sizes.changeBundle}, a heartbeat ${sizes.edgeBeat}. For a client: all values
${format(sizes.put)} bytes, a change ${sizes.patch}, a heartbeat ${sizes.clientBeat}. Each has ${FRAMING} bytes more on the wire: chunk,
TLS, TCP and IP.

| | messages | on the wire |
|---|--:|--:|
${row("a change: to clients", MILLION, sizes.patch)}
${row(`a change: to ${format(edges)} edges`, edges, sizes.changeBundle)}
${row("an hour of heartbeats: to clients, every 20 s", clientBeats, sizes.clientBeat)}
${row(`an hour of heartbeats: to ${format(edges)} edges, every 0.4 s`, edgeBeats, sizes.edgeBeat)}

There are ${format(MILLION + edges)} connections. The origin has ${shape.firstLevel} of them, whatever the number of clients: a
change costs it ${((shape.firstLevel * wire(sizes.changeBundle)) / 1e3).toFixed(0)} kB, an hour of heartbeats
${((edgeBeats / edges) * shape.firstLevel * wire(sizes.edgeBeat) * 1e-6).toFixed(0)} MB.

| streams per edge | edges for a million | memory of streams | a change | changes per second | back per second |
|--:|--:|--:|--:|--:|--:|
${sized.join("\n")}

"A change" is the time that one core needs to send it to all streams; "back per second" is how many clients come back in the busiest
second after an outage of a minute.

**What breaks first** is the processor of the edges when much changes: one core sends ${format(1e6 / SEND_US)} messages per second, so an
edge with 5,000 streams keeps up with ten changes per second that concern everybody, and one with 50,000 with one. Memory and
heartbeats come later: 50,000 streams need ${((50_000 * STREAM_KIB) / 1024).toFixed(0)} MiB, and their heartbeats
${format(50_000 / 20)} messages per second. Handshakes of TLS are not measured here; plan for the last column. The origin breaks last: it
only sees the first level.
`;
}

function hours({ seconds = 0 }) {
  return format(Math.round(seconds / 3_600));
}

function format(number) {
  return number.toLocaleString("en");
}
