//! Times in JSON: ISO 8601 in UTC.

use flagservice_rules::Instant;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::ToSchema;

/// A time with millisecond precision.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-11-21T10:42:01Z")]
pub struct Time(pub Instant);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let timestamp = Timestamp::from_millisecond(self.0.0).unwrap_or(Timestamp::MAX);
        serializer.collect_str(&timestamp)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let timestamp: Timestamp = text.parse().map_err(|_| {
            D::Error::custom(
                "write a time like 2026-11-21T10:42:01Z, with an offset, at the latest 9999-12-30T22:00:00Z",
            )
        })?;
        Ok(Self(Instant(timestamp.as_millisecond())))
    }
}
