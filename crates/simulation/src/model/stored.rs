//! What the database contains, read with SQL of the simulation's own.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _};

use crate::driver::wait;

/// A connection that only reads, and has no faults.
pub struct Observer(SqliteConnection);

/// An entry of the outbox.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its place in the order of commits.
    pub place: i64,
    /// The id of the environment.
    pub environment: String,
    /// The version of the environment.
    pub version: i64,
    /// The change.
    pub change_id: String,
    /// The key of the feature; empty if it is of the environment itself.
    pub feature: String,
    /// What changed.
    pub change: Value,
}

/// An entry of the audit log.
#[derive(Clone, Debug)]
pub struct Audited {
    /// To what.
    pub resource: String,
    /// The state before.
    pub before: Value,
    /// The state after.
    pub after: Value,
}

/// An approval.
#[derive(Clone, Debug)]
pub struct StoredApproval {
    /// Its state.
    pub state: String,
    /// The id of the person who requested it.
    pub requester: String,
    /// The id of the person who decided.
    pub decider: Option<String>,
    /// The targeting for which it was requested.
    pub before: Value,
    /// The targeting that it is for.
    pub after: Value,
}

/// A delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDelivery {
    /// The integration.
    pub integration: String,
    /// Its place in the order of deliveries.
    pub position: i64,
    /// The change that it is of.
    pub entry: String,
    /// Whether it waits, was delivered or has failed.
    pub state: String,
    /// The attempts.
    pub attempts: Value,
}

/// The switch of an integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The integration.
    pub integration: String,
    /// Whether it is on.
    pub enabled: bool,
    /// Raised by each change of the integration.
    pub revision: i64,
}

/// An environment.
#[derive(Clone, Debug)]
pub struct StoredEnvironment {
    /// Its id.
    pub id: String,
    /// Its key.
    pub key: String,
    /// Versions of different epochs cannot be compared.
    pub epoch: String,
    /// Raised by each change.
    pub version: i64,
}

/// A targeting: its value, with the version at which it was last changed.
pub type Targetings = BTreeMap<(String, String), (Value, i64)>;

/// All that the invariants are about.
#[derive(Debug)]
pub struct Stored {
    /// The environments.
    pub environments: Vec<StoredEnvironment>,
    /// The outbox, in the order of commits.
    pub outbox: Vec<Entry>,
    /// The audit log, in the order of commits.
    pub audit: Vec<Audited>,
    /// By keys of feature and environment.
    pub targetings: Targetings,
    /// The descriptions of features, by key.
    pub features: BTreeMap<String, String>,
    /// By id.
    pub approvals: BTreeMap<String, StoredApproval>,
    /// In the order of integrations and positions.
    pub deliveries: Vec<StoredDelivery>,
}

fn text(row: &SqliteRow, column: &str) -> sqlx::Result<String> {
    Ok(row.try_get::<Option<String>, _>(column)?.unwrap_or_default())
}

fn json(row: &SqliteRow, column: &str) -> sqlx::Result<Value> {
    Ok(serde_json::from_str(&text(row, column)?).unwrap_or_default())
}

impl Observer {
    /// Opens the database. It stays open, so that no node is the last one to close it: SQLite's log survives a crash of all nodes.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(database: &Path) -> sqlx::Result<Self> {
        let options = SqliteConnectOptions::new().filename(database).read_only(true).disable_statement_logging();
        wait(options.connect()).map(Self)
    }

    fn rows<T>(&mut self, sql: &str, read: impl Fn(&SqliteRow) -> sqlx::Result<T>) -> sqlx::Result<Vec<T>> {
        let rows = wait(sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut self.0))?;
        rows.iter().map(read).collect()
    }

    /// The environments, with their versions.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn environments(&mut self) -> sqlx::Result<Vec<StoredEnvironment>> {
        self.rows("SELECT id, key, epoch, version FROM environments ORDER BY key DESC", |row| {
            let (id, key, epoch) = (text(row, "id")?, text(row, "key")?, text(row, "epoch")?);
            Ok(StoredEnvironment { id, key, epoch, version: row.try_get("version")? })
        })
    }

    /// The deliveries of all integrations.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn deliveries(&mut self) -> sqlx::Result<Vec<StoredDelivery>> {
        let sql =
            "SELECT integration_id, position, entry, state, attempts FROM deliveries ORDER BY integration_id, position";
        self.rows(sql, |row| {
            let (integration, entry, state) = (text(row, "integration_id")?, text(row, "entry")?, text(row, "state")?);
            let (position, attempts) = (row.try_get("position")?, json(row, "attempts")?);
            Ok(StoredDelivery { integration, position, entry, state, attempts })
        })
    }

    /// The switches of the integrations, and the last place of the outbox.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn switches(&mut self) -> sqlx::Result<(Vec<Switch>, i64)> {
        let switches = self.rows("SELECT id, enabled, revision FROM integrations ORDER BY id", |row| {
            let enabled = row.try_get::<i64, _>("enabled")? == 1;
            Ok(Switch { integration: text(row, "id")?, enabled, revision: row.try_get("revision")? })
        })?;
        let last = self.rows("SELECT COALESCE(MAX(rowid), 0) AS last FROM outbox", |row| row.try_get("last"))?;
        Ok((switches, last.first().copied().unwrap_or_default()))
    }

    /// The targetings that are stored.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn targetings(&mut self) -> sqlx::Result<Targetings> {
        let sql = "SELECT f.key AS feature, e.key AS environment, t.targeting, t.version FROM targetings t
            JOIN features f ON f.id = t.feature_id JOIN environments e ON e.id = t.environment_id";
        let rows = self.rows(sql, |row| {
            let keys = (text(row, "feature")?, text(row, "environment")?);
            Ok((keys, (json(row, "targeting")?, row.try_get("version")?)))
        })?;
        Ok(rows.into_iter().collect())
    }

    /// The descriptions of features, by key.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn features(&mut self) -> sqlx::Result<BTreeMap<String, String>> {
        let sql = "SELECT key, description FROM features WHERE lifecycle <> 'Archived'";
        Ok(self.rows(sql, |row| Ok((text(row, "key")?, text(row, "description")?)))?.into_iter().collect())
    }

    /// Everything.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn everything(&mut self) -> sqlx::Result<Stored> {
        let outbox = "SELECT o.rowid AS place, o.environment_id, o.version, o.change_id, f.key AS feature, o.change
            FROM outbox o LEFT JOIN features f ON f.id = o.feature_id ORDER BY o.rowid";
        let audit = "SELECT resource, before_state, after_state FROM audit_log ORDER BY rowid";
        let approvals = "SELECT id, state, requester_id, decider_id, before_targeting, after_targeting FROM approvals ORDER BY rowid";
        Ok(Stored {
            environments: self.environments()?,
            outbox: self.rows(outbox, |row| {
                let (place, version) = (row.try_get("place")?, row.try_get("version")?);
                let (environment, change_id) = (text(row, "environment_id")?, text(row, "change_id")?);
                Ok(Entry {
                    place,
                    environment,
                    version,
                    change_id,
                    feature: text(row, "feature")?,
                    change: json(row, "change")?,
                })
            })?,
            audit: self.rows(audit, |row| {
                let resource = text(row, "resource")?;
                Ok(Audited { resource, before: json(row, "before_state")?, after: json(row, "after_state")? })
            })?,
            targetings: self.targetings()?,
            features: self.features()?,
            approvals: self
                .rows(approvals, |row| {
                    let (before, after) = (json(row, "before_targeting")?, json(row, "after_targeting")?);
                    let (requester, decider) = (text(row, "requester_id")?, row.try_get("decider_id")?);
                    Ok((
                        text(row, "id")?,
                        StoredApproval { state: text(row, "state")?, requester, decider, before, after },
                    ))
                })?
                .into_iter()
                .collect(),
            deliveries: self.deliveries()?,
        })
    }
}
