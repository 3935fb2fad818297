//! The state of the stream.

/// Times are in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) enum StreamState {
    /// Closed, and not to be opened before a load or before the tab is visible.
    Off,
    /// To be opened when the timer fires.
    Waiting { failed_opens: u32 },
    /// Requested.
    Opening { failed_opens: u32, last_event_at: f64 },
    /// Open.
    Open { opened_at: f64, last_event_at: f64 },
}
