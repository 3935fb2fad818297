//! Limits for clients: how much one key, address or environment may do on a node, and how many pages report what they evaluate.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// How many seconds' worth of requests may come in a burst.
pub const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// The limits of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientLimits {
    /// Loads, goals and new streams per second, for one key and address.
    pub requests_per_second: NonZeroU32,
    /// How many of them may come in a burst.
    pub burst: NonZeroU32,
    /// Open streams of one key.
    pub streams_per_key: usize,
    /// Open streams from one address.
    pub streams_per_address: usize,
    /// Goals of one environment per minute, which may all come at once.
    pub goals_per_minute: NonZeroU32,
    /// How many of 100 pages report what they evaluate.
    #[serde(default)]
    pub insights_percent: u8,
}

impl Default for ClientLimits {
    fn default() -> Self {
        const PER_SECOND: NonZeroU32 = NonZeroU32::new(100).unwrap();
        const GOALS: NonZeroU32 = NonZeroU32::new(60_000).unwrap();
        Self {
            requests_per_second: PER_SECOND,
            burst: PER_SECOND.saturating_mul(BURST_SECONDS),
            streams_per_key: 50_000,
            streams_per_address: 5_000,
            goals_per_minute: GOALS,
            insights_percent: 0,
        }
    }
}

/// The limits that the operator of a node has set.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChosenLimits {
    /// As in [`ClientLimits`]. It sets the burst, too.
    pub requests_per_second: Option<NonZeroU32>,
    /// As in [`ClientLimits`].
    pub streams_per_address: Option<usize>,
    /// As in [`ClientLimits`].
    pub goals_per_minute: Option<NonZeroU32>,
    /// As in [`ClientLimits`].
    pub insights_percent: Option<u8>,
}

impl ChosenLimits {
    /// These limits, and the given ones where none is set.
    pub fn or(self, mut limits: ClientLimits) -> ClientLimits {
        if let Some(rate) = self.requests_per_second {
            limits.requests_per_second = rate;
            limits.burst = rate.saturating_mul(BURST_SECONDS);
        }
        limits.streams_per_address = self.streams_per_address.unwrap_or(limits.streams_per_address);
        limits.goals_per_minute = self.goals_per_minute.unwrap_or(limits.goals_per_minute);
        limits.insights_percent = self.insights_percent.unwrap_or(limits.insights_percent);
        limits
    }
}
