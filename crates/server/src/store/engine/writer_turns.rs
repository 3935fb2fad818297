//! Writers take turns: those of one project, and those of what belongs to an organisation alone. A writer that waits for its turn
//! has no connection, so a project whose writers are stuck takes one connection from the others, and not all.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::timeout;

use crate::domain::ids::OrganisationId;
use crate::store::engine::pools::WRITE_TIMEOUT;
use crate::store::{Error, Result};

/// The line in which writers wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The organisation.
    pub organisation: OrganisationId,
    /// The key of the project; none for what belongs to the organisation alone.
    pub project: Option<String>,
}

/// The lines in which writers of this node wait, in the order of their arrival.
#[derive(Default)]
pub(in crate::store) struct WriterTurns(Mutex<HashMap<Line, Weak<AsyncMutex<()>>>>);

/// Somebody's turn, until it is dropped.
pub(in crate::store) struct Turn {
    _held: OwnedMutexGuard<()>,
}

impl WriterTurns {
    /// Waits in the line.
    ///
    /// # Errors
    /// That the database is busy, when it takes too long.
    pub(in crate::store) async fn wait(&self, line: Line) -> Result<Turn> {
        let line = self.line(line);
        let held = timeout(WRITE_TIMEOUT, line.lock_owned()).await.map_err(|_| Error::PoolTimedOut)?;
        Ok(Turn { _held: held })
    }

    fn line(&self, line: Line) -> Arc<AsyncMutex<()>> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Only lines with a writer are kept: a request may name any project.
        lines.retain(|_, known| known.strong_count() > 0);
        if let Some(known) = lines.get(&line).and_then(Weak::upgrade) {
            return known;
        }
        let new = Arc::default();
        lines.insert(line, Arc::downgrade(&new));
        new
    }
}

/// How many writers wait for a connection, apart from those of goals and deliveries.
#[derive(Default)]
pub(in crate::store) struct Waiting(AtomicUsize);

/// A writer that waits, until it is dropped.
pub(in crate::store) struct WaitingWriter<'a>(&'a Waiting);

impl Waiting {
    pub(in crate::store) fn begin(&self) -> WaitingWriter<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        WaitingWriter(self)
    }

    pub(in crate::store) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Drop for WaitingWriter<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}
