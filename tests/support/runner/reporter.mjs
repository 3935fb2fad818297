// A reporter for node:test that sends each test's result, duration and error to the parent process. It prints nothing.
import { inspect } from "node:util";

/** Suites are left out: their time is that of their tests. */
export default async function* report(events) {
  for await (const { type, data } of events) {
    if ((type !== "test:pass" && type !== "test:fail") || data.details.type === "suite") continue;
    if (data.skip !== undefined || data.todo !== undefined) continue;
    const { name, file, details } = data;
    const { error } = details;
    const passed = type === "test:pass";
    const failure = passed ? undefined : inspect(error?.cause ?? error);
    process.send({ test: { name, file, milliseconds: Math.round(details.duration_ms), passed }, failure });
  }
  yield "";
}
