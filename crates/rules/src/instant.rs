//! A point in time, handed in by whoever has a clock.

use serde::{Deserialize, Serialize};

const HOUR: i64 = 3_600_000;

/// Milliseconds since 1970-01-01T00:00:00 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instant(pub i64);

impl Instant {
    /// Hour of the day in UTC, 0 to 23.
    pub(crate) fn hour_of_day(self) -> f64 {
        self.0.div_euclid(HOUR).rem_euclid(24) as f64
    }

    /// The beginning of the hour that is `hours` after this one; `None` beyond the end of time.
    pub(crate) fn hour_after(self, hours: i64) -> Option<Self> {
        self.0.div_euclid(HOUR).checked_add(hours)?.checked_mul(HOUR).map(Self)
    }
}
