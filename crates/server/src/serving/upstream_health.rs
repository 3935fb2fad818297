//! How an edge stands with its upstream.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How old the last message of the server may be while an edge has everything that the server has. For a server, the database is what the
/// server is for an edge.
pub const MAX_CURRENT_AGE: Duration = Duration::from_secs(15);

/// Whether an edge is connected, what it has, and how old that is. Times are since the start of the edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    /// Whether the upstream is connected.
    pub is_connected: bool,
    /// Whether all environments have been received over this connection.
    pub has_all: bool,
    /// Whether what the edge has is too old to be served.
    pub is_too_old: bool,
    /// Whether the upstream did not know the edge key when it last answered.
    pub is_key_refused: bool,
    /// How old the last message of the server was at a time.
    age: Option<(Duration, Duration)>,
}

impl Standing {
    /// An edge that has not connected yet. `last_message`: how old the last message of the server is; `None` if there never was one.
    pub fn new(last_message: Option<Duration>) -> Self {
        Self { age: last_message.map(|age| (age, Duration::ZERO)), ..Self::default() }
    }

    /// How old the last message of the server is, which may have come through other edges; `None` if there never was one.
    pub fn age(&self, now: Duration) -> Option<Duration> {
        self.age.map(|(age, at)| age + now.saturating_sub(at))
    }

    /// When the last message of the server is going to be so old, unless another one comes.
    pub fn reaches(&self, max_age: Duration) -> Option<Duration> {
        self.age.map(|(age, at)| at + max_age.saturating_sub(age))
    }

    /// Notes that a message of the server that is so old has come. An older one than the last changes nothing.
    pub fn note_message(&mut self, now: Duration, age: Duration) {
        if self.age(now).is_none_or(|known| age < known) {
            self.age = Some((age, now));
        }
    }

    /// Whether the edge has everything that the server has.
    pub fn is_current(&self, now: Duration) -> bool {
        let is_new = self.age(now).is_some_and(|age| age <= MAX_CURRENT_AGE);
        self.is_connected && self.has_all && is_new && !self.is_too_old
    }
}

/// The standing of this edge, for all who ask.
pub struct UpstreamHealth {
    started_at: Instant,
    standing: Mutex<Standing>,
}

impl UpstreamHealth {
    /// An edge that starts now.
    pub fn new(standing: Standing) -> Self {
        Self { started_at: Instant::now(), standing: Mutex::new(standing) }
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long ago the edge started.
    pub fn now(&self) -> Duration {
        self.started_at.elapsed()
    }

    /// Replaces the standing.
    pub fn set(&self, standing: Standing) {
        *self.standing() = standing;
    }

    /// Whether the edge has everything that the server has.
    pub fn is_current(&self) -> bool {
        let now = self.now();
        self.standing().is_current(now)
    }

    /// Whether the upstream did not know the edge key when it last answered.
    pub fn is_key_refused(&self) -> bool {
        self.standing().is_key_refused
    }

    /// How old the last message of the server is; `None` if there never was one.
    pub fn age(&self) -> Option<Duration> {
        let now = self.now();
        self.standing().age(now)
    }
}
