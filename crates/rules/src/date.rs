//! Dates in conditions and attributes: ISO 8601 strings that name one instant.

use jiff::civil::{DateTime, Time};
use jiff::fmt::temporal::Pieces;

const NANOSECONDS_IN_SECOND: i128 = 1_000_000_000;
const NANOSECONDS_IN_MILLISECOND: i128 = 1_000_000;

/// 1970-01-01T00:00:00.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A point in time: nanoseconds since 1970 UTC. jiff's `Timestamp` ends before `9999-12-31`, which people write for
/// "forever".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date(i128);

impl Date {
    /// Parses a date (midnight UTC) or a date and time (UTC unless it has an offset), such as `2026-11-21` or
    /// `2026-11-21T10:42:01.5+02:00`. `None` for anything else. Names of time zones are not supported, because their
    /// offsets change with the law.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        if pieces.time_zone_annotation().is_some() {
            return None;
        }
        let local = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
        let offset = pieces.to_numeric_offset().map_or(0, |offset| i128::from(offset.seconds()));
        Some(Self(local.duration_since(EPOCH).as_nanos() - offset * NANOSECONDS_IN_SECOND))
    }

    /// The first whole millisecond at or after this date.
    pub(crate) fn first_not_before(self) -> i64 {
        -((-self.0).div_euclid(NANOSECONDS_IN_MILLISECOND) as i64)
    }

    /// The first whole millisecond after this date.
    pub(crate) fn first_after(self) -> i64 {
        self.0.div_euclid(NANOSECONDS_IN_MILLISECOND) as i64 + 1
    }
}
