//! The schema is brought up to date through the connection, without faults.

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx_core::any::AnyConnectionBackend as _;
use sqlx_core::migrate::{AppliedMigration, Migrate, MigrateError, Migration};

use crate::driver::connection::SimulatedConnection;
use crate::driver::wait::wait;

type Outcome<T> = Result<T, MigrateError>;

/// Does what sqlx does with an SQLite connection, while this thread waits.
fn with<'e, T: Send + 'e>(
    connection: &'e mut SimulatedConnection,
    work: impl for<'c> FnOnce(&'c mut (dyn Migrate + Send + 'static)) -> BoxFuture<'c, Outcome<T>> + Send + 'e,
) -> BoxFuture<'e, Outcome<T>> {
    Box::pin(async move { connection.session().with(|sqlite| wait(work(sqlite.as_migrate()?))) })
}

impl Migrate for SimulatedConnection {
    fn create_schema_if_not_exists<'e>(&'e mut self, name: &'e str) -> BoxFuture<'e, Outcome<()>> {
        let name = name.to_owned();
        with(self, move |sqlite| Box::pin(async move { sqlite.create_schema_if_not_exists(&name).await }))
    }

    fn ensure_migrations_table<'e>(&'e mut self, table: &'e str) -> BoxFuture<'e, Outcome<()>> {
        let table = table.to_owned();
        with(self, move |sqlite| Box::pin(async move { sqlite.ensure_migrations_table(&table).await }))
    }

    fn dirty_version<'e>(&'e mut self, table: &'e str) -> BoxFuture<'e, Outcome<Option<i64>>> {
        let table = table.to_owned();
        with(self, move |sqlite| Box::pin(async move { sqlite.dirty_version(&table).await }))
    }

    fn list_applied_migrations<'e>(&'e mut self, table: &'e str) -> BoxFuture<'e, Outcome<Vec<AppliedMigration>>> {
        let table = table.to_owned();
        with(self, move |sqlite| Box::pin(async move { sqlite.list_applied_migrations(&table).await }))
    }

    fn lock(&mut self) -> BoxFuture<'_, Outcome<()>> {
        with(self, |sqlite| sqlite.lock())
    }

    fn unlock(&mut self) -> BoxFuture<'_, Outcome<()>> {
        with(self, |sqlite| sqlite.unlock())
    }

    fn apply<'e>(&'e mut self, table: &'e str, migration: &'e Migration) -> BoxFuture<'e, Outcome<Duration>> {
        let (table, migration) = (table.to_owned(), migration.clone());
        with(self, move |sqlite| Box::pin(async move { sqlite.apply(&table, &migration).await }))
    }

    fn revert<'e>(&'e mut self, table: &'e str, migration: &'e Migration) -> BoxFuture<'e, Outcome<Duration>> {
        let (table, migration) = (table.to_owned(), migration.clone());
        with(self, move |sqlite| Box::pin(async move { sqlite.revert(&table, &migration).await }))
    }
}
