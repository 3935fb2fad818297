//! A point in time. The caller reads the clock.

use serde::{Deserialize, Serialize};

const HOUR_MS: i64 = 3_600_000;

/// Milliseconds since 1970-01-01T00:00:00 UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instant(pub i64);

impl Instant {
    /// Hour of the day in UTC, 0 to 23.
    pub(crate) fn hour_of_day(self) -> f64 {
        self.0.div_euclid(HOUR_MS).rem_euclid(24) as f64
    }

    /// The start of the hour that comes `hours` after the current one; `None` on overflow.
    pub(crate) fn hour_after(self, hours: i64) -> Option<Self> {
        self.0.div_euclid(HOUR_MS).checked_add(hours)?.checked_mul(HOUR_MS).map(Self)
    }
}
