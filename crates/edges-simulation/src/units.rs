//! Time, and the numbers that the plan and the world share.

/// Microseconds since the beginning of the history.
pub type Micros = u64;

/// A second.
pub const SECOND: Micros = 1_000_000;

/// The node with the database.
pub const ORIGIN: u32 = 0;

/// How long a node needs to send one message: the streams of a release build take 20 µs each (docs/campaigns/streams.md).
pub const SEND: Micros = 20;

/// How often a message crosses the network until a request is there: TCP, TLS, and the request itself.
pub const UNTIL_REQUEST: Micros = 5;

/// When a page aborts a load without a response: `TIMEOUT_MS` in js/browser/shell.ts.
pub const LOAD_TIMEOUT: Micros = 10 * SECOND;

/// How often until a refused connection is known.
pub const UNTIL_REFUSED: Micros = 2;
