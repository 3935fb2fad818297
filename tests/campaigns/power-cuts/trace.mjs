// The trace of record.c: what a program did to the files of a folder, in order.

/** As in record.c. */
const OPERATIONS = { 1: "open", 2: "write", 3: "truncate", 4: "syncBegin", 5: "syncEnd", 6: "unlink", 7: "rename" };
const HEADER_BYTES = 24;
/** Operations whose data is a path. */
const WITH_PATH = ["open", "unlink", "rename"];

/** The records of a trace: `{ operation, file, position, data, path, end }`; `end` is where the record ends in the trace. */
export function* records(trace) {
  for (let at = 0; at < trace.length; ) {
    const length = Number(trace.readBigUInt64LE(at + 16));
    const operation = OPERATIONS[trace.readUInt32LE(at)];
    const end = at + HEADER_BYTES + length;
    if (operation === undefined || end > trace.length) throw new Error(`The trace is damaged at ${at}.`);
    const data = trace.subarray(at + HEADER_BYTES, end);
    yield {
      operation,
      file: trace.readUInt32LE(at + 4),
      position: Number(trace.readBigUInt64LE(at + 8)),
      data,
      path: WITH_PATH.includes(operation) ? data.toString() : undefined,
      end,
    };
    at = end;
  }
}
