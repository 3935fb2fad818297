//! The lengths of hours and days, in which things are counted and kept.

use std::time::Duration;

/// How long an hour is.
pub const HOUR: Duration = Duration::from_hours(1);

/// How long a day is.
pub const DAY: Duration = Duration::from_hours(24);

/// How long an hour is, in milliseconds.
pub const HOUR_MS: i64 = HOUR.as_millis() as i64;

/// How long a day is, in milliseconds.
pub const DAY_MS: i64 = DAY.as_millis() as i64;
