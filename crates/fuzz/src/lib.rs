//! Fuzz targets: each takes arbitrary bytes and panics if an invariant does not hold.
//!
//! `npm run campaign -- fuzz` runs them with libFuzzer, and `cargo test` replays `corpus/`. See docs/testing.md.

pub mod case;
mod service;
pub mod targets;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its program (`fuzz-<name>`), its folder in `corpus/` and its file in `dictionaries/`.
    pub name: &'static str,
    /// Does what would make the first input take long.
    pub prepare: fn(),
    /// Panics if an invariant does not hold for this input.
    pub check: fn(&[u8]),
    /// How many mutated inputs the test makes from the corpus.
    pub mutants: u32,
}

/// How many mutated inputs the test makes for a target that takes microseconds for each.
const MANY: u32 = 4_000;

/// How many for a target that uses a database or compiles patterns.
const FEW: u32 = 400;

/// All targets.
pub const TARGETS: [Target; 12] = [
    Target { name: "rules", prepare: nothing, check: targets::rules::check, mutants: FEW },
    Target { name: "targeting", prepare: nothing, check: targets::targeting::check, mutants: FEW },
    Target { name: "pattern", prepare: nothing, check: targets::pattern::check, mutants: FEW },
    Target { name: "json", prepare: nothing, check: targets::json::check, mutants: MANY },
    Target { name: "since", prepare: nothing, check: targets::since::check, mutants: MANY },
    Target { name: "stream-token", prepare: start_service, check: targets::stream_token::check, mutants: MANY },
    Target { name: "forwarded", prepare: nothing, check: targets::forwarded::check, mutants: MANY },
    Target { name: "session", prepare: nothing, check: targets::session::check, mutants: MANY },
    Target { name: "cursor", prepare: nothing, check: targets::cursor::check, mutants: MANY },
    Target { name: "request", prepare: start_service, check: targets::request::check, mutants: FEW },
    Target { name: "import", prepare: start_service, check: targets::import::check, mutants: FEW },
    Target { name: "annotation", prepare: nothing, check: targets::annotation::check, mutants: MANY },
];

/// Starts the service that some targets use.
pub fn start_service() {
    std::sync::LazyLock::force(&service::RUNNING);
}

fn nothing() {}

/// Checks an input for libFuzzer, and prints the time of one that took longer than all before it.
#[cfg(feature = "libfuzzer")]
pub fn measure(check: fn(&[u8]), data: &[u8]) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static LONGEST_US: AtomicU64 = AtomicU64::new(0);
    let started = std::time::Instant::now();
    check(data);
    let took = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    if took > LONGEST_US.fetch_max(took, Ordering::Relaxed) {
        eprintln!("longest input: {:.1} ms", took as f64 / 1000.0);
    }
}
