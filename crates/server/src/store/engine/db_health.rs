//! Whether the database answers, as the follower notices, which reads it continuously.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::store::{Error, Result};

/// Whether the database answers, and since when.
pub struct DbHealth(Mutex<State>);

#[derive(Clone, Copy)]
struct State {
    lost: bool,
    last: Instant,
}

impl Default for DbHealth {
    fn default() -> Self {
        Self(Mutex::new(State { lost: false, last: Instant::now() }))
    }
}

impl DbHealth {
    /// Notes that the database has answered. Says whether it had not before.
    pub fn made(&self) -> bool {
        let mut state = self.state();
        let was_lost = state.lost;
        *state = State { lost: false, last: Instant::now() };
        was_lost
    }

    /// Notes that the database does not answer. Says whether it had before.
    pub fn lost(&self) -> bool {
        !std::mem::replace(&mut self.state().lost, true)
    }

    /// Whether the database does not answer.
    pub fn is_lost(&self) -> bool {
        self.state().lost
    }

    /// How long ago the versions of all environments were last read.
    pub fn age(&self) -> Duration {
        self.state().last.elapsed()
    }

    /// Fails while the database does not answer, so that nobody waits for a connection that will not come.
    pub(in crate::store) fn check(&self) -> Result<()> {
        if self.is_lost() { Err(Error::PoolTimedOut) } else { Ok(()) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
