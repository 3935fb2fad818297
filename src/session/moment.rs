//! What a session cannot find out by itself: the time, and a random number.

/// The time of an event, and a random number for jitter.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub now: f64,
    /// From 0 to below 1.
    pub random: f64,
}
