//! The outbox: what changed, committed with the change itself, for streams and annotations to read at their own pace.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::changes::flag_change::FlagChange;
use crate::domain::ids::{ChangeId, EnvironmentId, FeatureId};
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Result;
use crate::store::engine::columns::{id, json, signed, to_json, unsigned};
use crate::store::engine::readable::Table;

/// The table of the outbox.
pub(in crate::store) const TABLE: Table = Table("outbox", &["environment_id", "version"]);

/// An entry to be kept under the environment's next version.
pub struct NewEntry<'a> {
    /// The environment that changed.
    pub environment_id: &'a EnvironmentId,
    /// The change, which may have entries in several environments.
    pub change_id: &'a ChangeId,
    /// The feature that changed; none when it is the environment itself, such as its client keys.
    pub feature_id: Option<&'a FeatureId>,
    /// When it changed.
    pub at: Instant,
    /// What changed, for annotations.
    pub change: &'a FlagChange,
}

/// An entry as those read it who follow an environment.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The environment's version after the change.
    pub version: u64,
    /// The change.
    pub change_id: ChangeId,
    /// The feature that changed; none when it is the environment itself.
    pub feature_id: Option<FeatureId>,
}

/// Adds an entry under the version that the change gave to its environment.
pub(in crate::store) async fn append(connection: &mut AnyConnection, entry: &NewEntry<'_>, version: u64) -> Result<()> {
    sqlx::query(
        "INSERT INTO outbox (environment_id, version, change_id, feature_id, at, change) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(entry.environment_id.as_str())
    .bind(signed(version))
    .bind(entry.change_id.as_str())
    .bind(entry.feature_id.map(FeatureId::as_str))
    .bind(entry.at.0)
    .bind(to_json(entry.change)?)
    .execute(connection)
    .await
    .map(drop)
}

/// The entries whose change cannot be read.
pub async fn unreadable(connection: &mut AnyConnection) -> Result<Vec<UnreadableRow>> {
    let rows = sqlx::query("SELECT environment_id, version, change FROM outbox").fetch(connection);
    TABLE.unreadable(rows, |row| json::<FlagChange>(row, "change")).await
}

/// How many entries there are.
pub async fn count(connection: &mut AnyConnection) -> Result<u64> {
    let row = sqlx::query("SELECT COUNT(*) AS entries FROM outbox").fetch_one(connection).await?;
    unsigned(&row, "entries")
}

/// The environment's entries after a version, oldest first.
pub async fn after(connection: &mut AnyConnection, environment: &EnvironmentId, version: u64) -> Result<Vec<Entry>> {
    let rows = sqlx::query(
        "SELECT version, change_id, feature_id FROM outbox WHERE environment_id = $1 AND version > $2 ORDER BY version",
    )
    .bind(environment.as_str())
    .bind(signed(version))
    .fetch_all(connection)
    .await?;
    rows.iter().map(entry).collect()
}

fn entry(row: &AnyRow) -> Result<Entry> {
    let feature: Option<String> = row.try_get("feature_id")?;
    Ok(Entry {
        version: unsigned(row, "version")?,
        change_id: id(row, "change_id")?,
        feature_id: feature.map(FeatureId::from),
    })
}
