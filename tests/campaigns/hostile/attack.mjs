// Runs one attacker in a process of its own until its time is over, and prints what it sent and got as JSON.
import { Sender } from "./sender.mjs";

const { attacker, ...target } = JSON.parse(process.argv[2]);
const { attack } = await import(`./${attacker}.mjs`);
const sender = new Sender(target);
await attack(sender, target);
process.stdout.write(JSON.stringify(sender.counts));
// Connections that are still open end with the process.
process.exit();
