//! Whether the database answers, as the follower notices, which reads it continuously; and whether it is busy.

use std::io::ErrorKind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::store::{Error, Result};

/// For how long a database counts as busy after a request has waited in vain.
const BUSY_PERIOD: Duration = Duration::from_secs(10);

/// Whether the database answers, and since when.
pub struct DbHealth(Mutex<State>);

#[derive(Clone, Copy)]
struct State {
    lost: bool,
    /// When the versions of all environments were last read.
    last: Instant,
    /// When the follower last read anything.
    answered: Instant,
    /// When a request last waited in vain for a connection.
    busy: Option<Instant>,
    /// How many requests have.
    turned_away: u64,
}

impl Default for DbHealth {
    fn default() -> Self {
        let now = Instant::now();
        Self(Mutex::new(State { lost: false, last: now, answered: now, busy: None, turned_away: 0 }))
    }
}

impl DbHealth {
    /// Notes that the versions of all environments were read. Says whether the database did not answer before.
    pub fn note_versions_read(&self) -> bool {
        let mut state = self.state();
        let (was_lost, now) = (state.lost, Instant::now());
        *state = State { lost: false, last: now, answered: now, ..*state };
        was_lost
    }

    /// Notes that an environment was read. The database no longer counts as lost once the versions are read as well.
    pub fn note_environment_read(&self) {
        self.state().answered = Instant::now();
    }

    /// Notes that a read that began then got no answer. The database now counts as lost, unless another read has succeeded since: a
    /// connection can still be waiting for a host that was replaced. Says whether that is new.
    pub fn note_failed_read(&self, began: Instant) -> bool {
        let mut state = self.state();
        state.answered <= began && !std::mem::replace(&mut state.lost, true)
    }

    /// Whether the database does not answer.
    pub fn is_lost(&self) -> bool {
        self.state().lost
    }

    /// How long ago the versions of all environments were last read.
    pub fn age(&self) -> Duration {
        self.state().last.elapsed()
    }

    /// Whether requests have waited in vain for a connection of late, while the database answers.
    pub fn is_busy(&self) -> bool {
        let state = *self.state();
        !state.lost && state.busy.is_some_and(|busy| busy.elapsed() < BUSY_PERIOD)
    }

    /// How many requests have waited in vain for a connection.
    pub fn turned_away(&self) -> u64 {
        self.state().turned_away
    }

    /// Fails while the database does not answer, so that nobody waits for a connection that will not come.
    pub(in crate::store) fn check(&self) -> Result<()> {
        if self.is_lost() { Err(unreachable()) } else { Ok(()) }
    }

    /// Tells a database that is busy from one that does not answer, where somebody got no connection.
    pub(in crate::store) fn explain(&self, error: Error) -> Error {
        if !matches!(error, Error::PoolTimedOut) {
            return error;
        }
        let mut state = self.state();
        if state.lost {
            return unreachable();
        }
        state.busy = Some(Instant::now());
        state.turned_away = state.turned_away.saturating_add(1);
        error
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unreachable() -> Error {
    Error::Io(ErrorKind::NotConnected.into())
}
