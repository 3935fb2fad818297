//! The sessions of the database: what it has for a connection. It can end one that the node still believes in.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use sqlx::Connection as _;
use sqlx::sqlite::SqliteConnection;
use sqlx_core::any::AnyConnectionBackend;
use sqlx_core::{Error, Result};

use crate::driver::wait::wait;
use crate::trace;

/// A session; none once it has ended, and with it an open transaction.
#[derive(Clone)]
pub(super) struct Session(Arc<Mutex<Option<SqliteConnection>>>);

/// A session that may have ended, of a node.
struct Weakly {
    node: usize,
    session: Weak<Mutex<Option<SqliteConnection>>>,
}

/// A process runs one history, so this is shared by all of its nodes.
static SESSIONS: Mutex<Vec<Weakly>> = Mutex::new(Vec::new());

fn sessions() -> MutexGuard<'static, Vec<Weakly>> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the transactions of a node that does nothing, as PostgreSQL does after five seconds. SQLite never does, where the one node that
/// it has is also the one that waits.
pub fn end_idle_transactions(node: usize) {
    let known = sessions();
    let of_node = known.iter().filter(|known| known.node == node).filter_map(|known| known.session.upgrade());
    for session in of_node.map(Session) {
        if session.transaction_depth() > 0 {
            trace::note(format_args!("a transaction of node {node} is ended"));
            session.end();
        }
    }
}

/// What a node is told whose session has ended.
pub(super) fn reset() -> Error {
    Error::Io(ErrorKind::ConnectionReset.into())
}

impl Session {
    pub(super) fn new(node: usize, sqlite: SqliteConnection) -> Self {
        let session = Arc::new(Mutex::new(Some(sqlite)));
        let mut sessions = sessions();
        sessions.retain(|known| known.session.strong_count() > 0);
        sessions.push(Weakly { node, session: Arc::downgrade(&session) });
        Self(session)
    }

    fn sqlite(&self) -> MutexGuard<'_, Option<SqliteConnection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something in the session.
    ///
    /// # Errors
    /// Those of the work; a reset connection if the session has ended.
    pub(super) fn with<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        work(self.sqlite().as_mut().ok_or_else(reset)?)
    }

    /// Ends it: SQLite rolls back what is open, and releases its locks.
    pub(super) fn end(&self) {
        if let Some(sqlite) = self.sqlite().take() {
            // There is nobody to tell.
            let _ = wait(sqlite.close());
        }
    }

    pub(super) fn transaction_depth(&self) -> usize {
        self.sqlite().as_ref().map_or(0, AnyConnectionBackend::get_transaction_depth)
    }

    /// Rolls back, and returns once that is done. A failure shows at the next call.
    pub(super) fn roll_back(&self) {
        let _: Result<()> = self.with(|sqlite| {
            AnyConnectionBackend::start_rollback(sqlite);
            // Its thread does one thing after the other.
            wait(AnyConnectionBackend::ping(sqlite))
        });
    }
}
