//! How this node drains: it keeps serving while clients are told when to reconnect, then it stops.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// How far the stopping is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nobody has asked it to stop.
    Serving,
    /// Streams are sent away, to come back spread over this time; requests are still answered.
    Leaving(Duration),
    /// Only what has begun is done.
    Ending,
}

/// The stopping of this node.
pub struct Drain {
    stage: watch::Sender<Stage>,
    sent_away: AtomicU64,
}

impl Default for Drain {
    fn default() -> Self {
        Self { stage: watch::Sender::new(Stage::Serving), sent_away: AtomicU64::new(0) }
    }
}

impl Drain {
    /// Begins to stop; clients are to come back over the given time.
    pub fn leave(&self, spread: Duration) {
        self.stage.send_replace(Stage::Leaving(spread));
    }

    /// Ends draining: only running requests are finished.
    pub fn end(&self) {
        self.stage.send_replace(Stage::Ending);
    }

    /// How far it is, and how to learn of changes.
    pub fn subscribe(&self) -> watch::Receiver<Stage> {
        self.stage.subscribe()
    }

    /// Whether it is stopping.
    pub fn is_stopping(&self) -> bool {
        *self.stage.borrow() != Stage::Serving
    }

    /// When the next client is to come back: evenly over the announced time, however many there will be.
    pub fn return_after(&self) -> Duration {
        // Multiples of the golden ratio leave no gap and no crowd, wherever one stops counting.
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let share = self.sent_away.fetch_add(1, Ordering::Relaxed).wrapping_mul(GOLDEN) >> 32;
        match *self.stage.borrow() {
            Stage::Leaving(spread) => {
                let spread = u64::try_from(spread.as_millis()).unwrap_or(u64::MAX).min(u64::from(u32::MAX));
                Duration::from_millis((spread * share) >> 32)
            }
            Stage::Serving | Stage::Ending => Duration::ZERO,
        }
    }
}

/// Waits until the node has begun to stop.
pub async fn begun(stage: &mut watch::Receiver<Stage>) {
    // The sender lives as long as the application.
    let _ = stage.wait_for(|stage| *stage != Stage::Serving).await;
}

/// Waits until the node is at its end.
pub async fn ending(stage: &mut watch::Receiver<Stage>) {
    let _ = stage.wait_for(|stage| *stage == Stage::Ending).await;
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Drain;

    #[test]
    fn clients_come_back_evenly_over_the_announced_time() {
        let drain = Drain::default();
        drain.leave(Duration::from_secs(10));
        let mut tenths = [0; 10];
        for _ in 0..1_000 {
            tenths[usize::try_from(drain.return_after().as_secs()).unwrap()] += 1;
        }
        assert!(tenths.iter().all(|count| (90..=110).contains(count)), "{tenths:?}");
    }
}
