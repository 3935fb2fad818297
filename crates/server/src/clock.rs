//! The current time: from the system clock, or from one that a test sets.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use flagservice_rules::Instant;
use tokio::sync::watch;

/// A clock, injected wherever the time is needed.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// The current instant.
    fn now(&self) -> Instant;

    /// The instant after this duration.
    fn after(&self, duration: Duration) -> Instant {
        Instant(self.now().0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Waits until the instant, however late the clock reaches it. A loop that has other work meanwhile uses `sleep_until_within`.
    async fn sleep_until(&self, instant: Instant);

    /// Waits until an instant that is at most this duration ahead, but no more than three times as long if the clock is set back.
    async fn sleep_until_within(&self, instant: Instant, duration: Duration) {
        tokio::select! {
            () = self.sleep_until(instant) => {}
            () = tokio::time::sleep(duration * SET_BACK) => {}
        }
    }

    /// Sleeps for the duration, but no more than three times as long if the clock is set back.
    async fn sleep(&self, duration: Duration) {
        self.sleep_until_within(self.after(duration), duration).await;
    }
}

/// How many times as long a duration may take when the clock is set back meanwhile.
const SET_BACK: u32 = 3;

/// Measures how long ago something was, as [`Clock::sleep`] does.
#[derive(Clone, Copy)]
pub struct Stopwatch {
    at: Instant,
    /// Runs on when the clock is set.
    started: tokio::time::Instant,
}

impl Stopwatch {
    /// Starts it.
    pub fn start(clock: &dyn Clock) -> Self {
        Self { at: clock.now(), started: tokio::time::Instant::now() }
    }

    /// Whether it has run for the duration.
    pub fn has_run_for(self, duration: Duration, clock: &dyn Clock) -> bool {
        let age = u64::try_from(clock.now().0.saturating_sub(self.at.0)).unwrap_or_default();
        Duration::from_millis(age) >= duration || self.started.elapsed() >= duration * SET_BACK
    }
}

/// The system's clock.
pub struct SystemClock;

/// The longest sleep before the clock is read again, to notice when the system time was set.
const MAX_SLEEP: Duration = Duration::from_secs(30);

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> Instant {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
    }

    async fn sleep_until(&self, instant: Instant) {
        while let Ok(remaining_ms @ 1..) = u64::try_from(instant.0.saturating_sub(self.now().0)) {
            tokio::time::sleep(Duration::from_millis(remaining_ms).min(MAX_SLEEP)).await;
        }
    }
}

/// A clock that moves only when it is set.
pub struct ManualClock(watch::Sender<i64>);

impl ManualClock {
    /// A clock set to the given instant.
    pub fn new(instant: Instant) -> Self {
        Self(watch::Sender::new(instant.0))
    }

    /// Sets the clock and wakes everything that waits for an instant up to this one.
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
        let mut time = self.0.subscribe();
        // This can't fail: the sender lives as long as the clock.
        let _ = time.wait_for(|&now| now >= instant.0).await;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use flagservice_rules::Instant;

    use super::{Clock as _, ManualClock};

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_is_set_back_makes_a_wait_at_most_three_times_as_long() {
        const HOUR: Duration = Duration::from_hours(1);
        let clock = ManualClock::new(Instant(1_000_000_000));
        let (next, started) = (clock.after(HOUR), tokio::time::Instant::now());
        clock.set(Instant(0));
        clock.sleep_until_within(next, HOUR).await;
        assert_eq!(started.elapsed(), 3 * HOUR);
    }
}
