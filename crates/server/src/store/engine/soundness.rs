//! Whether what is stored agrees with itself: the engine's own check, and the promises that clients rely on.

use sqlx::{AnyConnection, Row};

use crate::store::Result;
use crate::store::engine::columns::unsigned;

/// What was looked at, and what is wrong with it.
#[derive(Debug, Default)]
pub struct Soundness {
    /// How many environments there are.
    pub environments: u64,
    /// How many entries the outbox has.
    pub entries: u64,
    /// What is wrong, one sentence each.
    pub violations: Vec<String>,
}

/// Looks at the whole database.
pub async fn look(connection: &mut AnyConnection) -> Result<Soundness> {
    let mut found = Soundness::default();
    if connection.backend_name() == "SQLite" {
        let report: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut *connection).await?;
        found.violations.extend(report.into_iter().filter(|line| line != "ok").map(|line| format!("SQLite: {line}")));
        let strays: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM pragma_foreign_key_check").fetch_one(&mut *connection).await?;
        if strays > 0 {
            found.violations.push(format!("{strays} rows refer to rows that do not exist."));
        }
    }
    let rows = sqlx::query(
        "SELECT e.id, e.version, COUNT(o.version) AS entries, COALESCE(MIN(o.version), 0) AS first,
            COALESCE(MAX(o.version), 0) AS last,
            (SELECT COALESCE(MAX(t.version), 0) FROM targetings t WHERE t.environment_id = e.id) AS newest
         FROM environments e LEFT JOIN outbox o ON o.environment_id = e.id GROUP BY e.id, e.version ORDER BY e.id",
    )
    .fetch_all(&mut *connection)
    .await?;
    for row in &rows {
        let id: String = row.try_get("id")?;
        let (version, entries) = (unsigned(row, "version")?, unsigned(row, "entries")?);
        let (first, last, newest) = (unsigned(row, "first")?, unsigned(row, "last")?, unsigned(row, "newest")?);
        found.environments += 1;
        found.entries += entries;
        // The sweep removes the oldest first, and in the end all.
        if entries > 0 && last != version {
            found.violations.push(format!("Environment {id} is at version {version}, and its outbox at {last}."));
        }
        if entries > 0 && last - first + 1 != entries {
            found
                .violations
                .push(format!("The outbox of environment {id} has {entries} entries from {first} to {last}."));
        }
        if newest > version {
            found
                .violations
                .push(format!("Environment {id} is at version {version}, and has a targeting of {newest}."));
        }
    }
    Ok(found)
}
