//! The rows of a query that can be read, and those that cannot: damaged, or of a release that this one does not understand.

use futures_util::TryStreamExt as _;
use futures_util::stream::BoxStream;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Result;
use crate::store::engine::error::is_unreadable;

/// Rows, without those that cannot be read.
#[derive(Debug)]
pub struct Readable<T> {
    /// Those that can be read.
    pub rows: Vec<T>,
    /// The others.
    pub unreadable: Vec<UnreadableRow>,
}

/// A table, and the columns of its primary key.
pub(in crate::store) struct Table(pub &'static str, pub &'static [&'static str]);

impl Table {
    /// Reads rows of queries that select the primary key.
    pub(in crate::store) fn readable<T>(
        &self,
        rows: &[AnyRow],
        read: impl Fn(&AnyRow) -> Result<T>,
    ) -> Result<Readable<T>> {
        let mut all = Readable { rows: Vec::with_capacity(rows.len()), unreadable: Vec::new() };
        for row in rows {
            match self.set_aside(row, read(row))? {
                Ok(value) => all.rows.push(value),
                Err(unreadable) => all.unreadable.push(unreadable),
            }
        }
        Ok(all)
    }

    /// Reads all rows of a query that selects the primary key, one at a time, and keeps only those that cannot be read.
    pub(in crate::store) async fn unreadable<T>(
        &self,
        mut rows: BoxStream<'_, sqlx::Result<AnyRow>>,
        read: impl Fn(&AnyRow) -> Result<T> + Send,
    ) -> Result<Vec<UnreadableRow>> {
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.extend(self.set_aside(&row, read(&row))?.err());
        }
        Ok(found)
    }

    /// Tells a row that cannot be read from other errors.
    pub(in crate::store) fn set_aside<T>(
        &self,
        row: &AnyRow,
        read: Result<T>,
    ) -> Result<std::result::Result<T, UnreadableRow>> {
        let Self(table, primary_key) = self;
        match read {
            Ok(value) => Ok(Ok(value)),
            Err(error) if is_unreadable(&error) => {
                let key = primary_key.iter().map(|column| key_part(row, column)).collect::<Vec<_>>().join("/");
                Ok(Err(UnreadableRow { table, key, problem: error.to_string() }))
            }
            Err(error) => Err(error),
        }
    }
}

fn key_part(row: &AnyRow, column: &str) -> String {
    let number = || row.try_get::<i64, _>(column).map(|number| number.to_string());
    row.try_get::<String, _>(column).or_else(|_| number()).unwrap_or_else(|_| "?".to_owned())
}
