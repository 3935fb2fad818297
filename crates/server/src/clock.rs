//! What the time is: the system's clock, or one that a test turns.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use flagservice_rules::Instant;
use tokio::sync::watch;

/// A clock, injected wherever the time is needed.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> Instant;

    /// Waits until the instant has come.
    async fn sleep_until(&self, instant: Instant);
}

/// The system's clock.
pub struct SystemClock;

/// Longest wait before the clock is read again, so that a clock that was set is noticed.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> Instant {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
    }

    async fn sleep_until(&self, instant: Instant) {
        while let Ok(left @ 1..) = u64::try_from(instant.0.saturating_sub(self.now().0)) {
            tokio::time::sleep(Duration::from_millis(left).min(LONGEST_SLEEP)).await;
        }
    }
}

/// A clock that stands until it is set.
pub struct ManualClock(watch::Sender<i64>);

impl ManualClock {
    /// A clock that shows the given instant.
    pub fn new(instant: Instant) -> Self {
        Self(watch::Sender::new(instant.0))
    }

    /// Sets the clock and wakes those who waited for that instant.
    pub fn set(&self, instant: Instant) {
        self.0.send_replace(instant.0);
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> Instant {
        Instant(*self.0.borrow())
    }

    async fn sleep_until(&self, instant: Instant) {
        let mut shown = self.0.subscribe();
        // The sender lives as long as the clock, so this ends only when the instant has come.
        let _ = shown.wait_for(|&now| now >= instant.0).await;
    }
}
