//! What a connection to PostgreSQL may take, and how both sides find out that the other is gone. The numbers are in
//! docs/decisions/0027.

use std::time::Duration;

/// How long a transaction may do nothing. One whose node is gone then ends, and with it its locks.
const IDLE_IN_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait for another's lock: longer than the lock of a node that is gone lasts.
const LOCK_TIMEOUT: Duration = Duration::from_secs(8);

/// How long a statement may take, with its wait for locks: shorter than a request may take.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(20);

/// How often PostgreSQL looks, during a query, whether somebody is waiting for its result.
const CLIENT_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// After how long a silence PostgreSQL asks whether the node is still there.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(15);

/// How often it asks.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// How often without an answer.
const KEEPALIVE_COUNT: u32 = 3;

/// The settings of a connection, to be sent at its beginning.
pub(in crate::store) fn statements() -> String {
    format!(
        "SET idle_in_transaction_session_timeout = {}; SET lock_timeout = {}; SET statement_timeout = {};
         SET tcp_keepalives_idle = {}; SET tcp_keepalives_interval = {}; SET tcp_keepalives_count = {KEEPALIVE_COUNT};
         DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '{}', false);
             EXCEPTION WHEN OTHERS THEN NULL; -- Not every system that PostgreSQL runs on can do this.
         END $$",
        IDLE_IN_TRANSACTION_TIMEOUT.as_millis(),
        LOCK_TIMEOUT.as_millis(),
        STATEMENT_TIMEOUT.as_millis(),
        KEEPALIVE_IDLE.as_secs(),
        KEEPALIVE_INTERVAL.as_secs(),
        CLIENT_CHECK_INTERVAL.as_millis(),
    )
}

/// For a transaction that reads the whole database: a command's, for which nobody else waits.
pub(in crate::store) const WITHOUT: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
