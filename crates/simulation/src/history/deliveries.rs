//! What nodes read of the delivery queue and sent to destinations, in the order in which it happened. Independent of the server: it is
//! filled by the simulated database and the simulated network.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most attempts of a run.
const MAX_ATTEMPTS: u32 = 2;

/// A process runs one history, so this is shared by all of its parts.
static LOG: Mutex<Log> =
    Mutex::new(Log { runs: BTreeMap::new(), next: 0, attempts: Vec::new(), violations: Vec::new() });

/// The log of a history.
pub struct Log {
    /// The run of a node for an integration that began last.
    runs: BTreeMap<(usize, String), Run>,
    next: u64,
    /// All attempts that reached a destination.
    pub attempts: Vec<Attempt>,
    /// What the specification rules out.
    pub violations: Vec<String>,
}

/// From reading the queue to the outcome: at most two attempts.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    began: u64,
    attempts: u32,
}

/// An attempt that reached a destination.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The integration.
    pub integration: String,
    /// The id of the message, the same in each attempt to deliver it.
    pub message: String,
    /// When its run began, in events of this log.
    pub run_began: u64,
    /// When it arrived, in events of this log.
    pub arrived: u64,
    /// Whether the destination answered with a success, whether or not the answer arrived.
    pub accepted: bool,
}

/// The log of this history.
pub fn log() -> MutexGuard<'static, Log> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    fn event(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A node reads which delivery is next.
    pub fn begin_run(&mut self, node: usize, integration: &str) {
        let began = self.event();
        self.runs.insert((node, integration.to_owned()), Run { began, attempts: 0 });
    }

    /// A node connects to a destination. Returns when its run began.
    pub fn attempt(&mut self, node: usize, integration: &str) -> u64 {
        let run = self.runs.entry((node, integration.to_owned())).or_default();
        run.attempts += 1;
        let Run { began, attempts } = *run;
        if attempts > MAX_ATTEMPTS {
            self.violations
                .push(format!("node {node} made attempt {attempts} of one run for integration {integration}"));
        }
        began
    }

    /// A destination received a request.
    pub fn arrive(&mut self, integration: &str, message: &str, run_began: u64, accepted: bool) {
        let arrived = self.event();
        let (integration, message) = (integration.to_owned(), message.to_owned());
        self.attempts.push(Attempt { integration, message, run_began, arrived, accepted });
    }
}
