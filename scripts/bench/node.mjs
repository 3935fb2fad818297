// One measurement in a fresh Node process. Prints JSON.
import { evaluations, firstAnswer } from "./measured.mjs";

const [, , address, rounds] = process.argv;
const before = performance.now();
const { FlagService } = await import(address);
const load = performance.now() - before;
const init = firstAnswer(FlagService, "offline");
process.stdout.write(JSON.stringify({ load, init, ...(rounds ? await evaluations(FlagService, Number(rounds)) : {}) }));
