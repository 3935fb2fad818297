//! SQLite and PostgreSQL: connections, settings, errors, files, and notifications between nodes.

pub(in crate::store) mod columns;
pub(in crate::store) mod connect;
pub(in crate::store) mod database_url;
pub(in crate::store) mod db_health;
pub(in crate::store) mod error;
pub(in crate::store) mod hosts;
pub(in crate::store) mod limits;
pub(in crate::store) mod log_file;
pub(in crate::store) mod notify;
pub(in crate::store) mod placeholders;
pub(in crate::store) mod pools;
pub(in crate::store) mod readable;
pub mod soundness;
pub mod sqlite_file;
mod tolerant;
pub(in crate::store) mod writer_turns;
