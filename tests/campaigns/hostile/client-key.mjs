// A public client key: large users whose texts patterns search, goals without end, and streams that nobody reads.
import { randomBytes } from "node:crypto";
import { searchedText } from "./rules.mjs";
import { pause } from "./sender.mjs";

const GOALS_PER_REQUEST = 100;
const STREAMS = 3_000;
/** A user of a load or of OFREP has at most 16 KB; texts of up to 1 KB are searched at once. */
const TEXTS = [15_500, 1_000, 100].map(searchedText);

/** The rate is limited for each address. */
export async function attack(sender, { clientKey }) {
  const base = `/client/v1/${clientKey}`;
  await Promise.all([
    sender.repeat(24, (number) => load(sender, base, number)),
    sender.repeat(8, () => goals(sender, base)),
    sender.repeat(8, (number) => evaluations(sender, clientKey, number)),
    sender.repeat(4, () => sender.send("POST", "/client/v1/js-unknown/load", { body: { user: { id: "a" } } })),
    streams(sender, base),
  ]);
}

function load(sender, base, number) {
  const text = TEXTS[number % TEXTS.length];
  return sender.send("POST", `${base}/load`, { body: { user: user(number, text) } });
}

function user(number, text) {
  return { id: `user-${number}`, attributes: { plan: text, country: "SE", age: number % 90 } };
}

function goals(sender, base) {
  const random = () => randomBytes(12).toString("hex");
  const goal = () => ({ id: random(), key: random(), userId: random().repeat(10), features: { [random()]: random() } });
  return sender.send("POST", `${base}/goals`, { body: { goals: Array.from({ length: GOALS_PER_REQUEST }, goal) } });
}

function evaluations(sender, clientKey, number) {
  const context = { targetingKey: `user-${number}`, plan: TEXTS[number % TEXTS.length], country: "SE" };
  return sender.send("POST", "/ofrep/v1/evaluate/flags", { token: clientKey, body: { context } });
}

/** Opens streams of users with short texts, who get patches, and reads none of them. */
function streams(sender, base) {
  const open = new Set();
  return sender.repeat(4, async (number) => {
    if (open.size >= STREAMS) return pause(100);
    const loaded = await sender.send("POST", `${base}/load`, { body: { user: user(number, searchedText(200)) } });
    if (loaded === undefined) return undefined;
    const socket = sender.neverRead(`${base}/stream?token=${JSON.parse(loaded).token}`, {});
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    return undefined;
  });
}
