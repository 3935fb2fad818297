//! The clock of a node: it goes with the simulated time, and jumps when the history says so.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use flagservice_rules::Instant;
use flagservice_server::clock::Clock;
use tokio::time;

/// When histories begin: 2026-11-21T00:00:00Z, in milliseconds.
pub const BEGINNING: i64 = 1_795_219_200_000;

/// The longest sleep before the clock is read again, as the system's clock does it.
const MAX_SLEEP: Duration = Duration::from_secs(30);

/// The clock of a node.
pub struct NodeClock {
    started: time::Instant,
    /// The simulated time when the node started, in milliseconds.
    began_at: i64,
    /// By how much it is wrong, in milliseconds.
    skew: AtomicI64,
}

impl NodeClock {
    /// A clock of a node whose runtime was just made.
    pub fn new(started: time::Instant, began_at: u64, skew: i64) -> Self {
        Self { started, began_at: i64::try_from(began_at).unwrap_or(i64::MAX), skew: AtomicI64::new(skew) }
    }

    /// Sets the clock forward, or back.
    pub fn jump(&self, by: i64) {
        self.skew.fetch_add(by, Ordering::Relaxed);
    }

    /// By how much it is wrong, in milliseconds.
    pub fn skew(&self) -> i64 {
        self.skew.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Clock for NodeClock {
    fn now(&self) -> Instant {
        let elapsed = i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX);
        Instant(BEGINNING + self.began_at + elapsed + self.skew())
    }

    async fn sleep_until(&self, instant: Instant) {
        while let Ok(remaining_ms @ 1..) = u64::try_from(instant.0.saturating_sub(self.now().0)) {
            time::sleep(Duration::from_millis(remaining_ms).min(MAX_SLEEP)).await;
        }
    }
}
