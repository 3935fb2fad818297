//! SQLite and PostgreSQL: connections, settings, errors, files, and notifications between nodes.

pub(in crate::store) mod columns;
pub(in crate::store) mod connect;
pub(in crate::store) mod db_health;
pub(in crate::store) mod error;
pub(in crate::store) mod notify;
pub mod soundness;
pub mod sqlite_file;
