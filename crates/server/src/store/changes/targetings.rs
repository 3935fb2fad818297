//! Targeting of a feature in an environment, with the version that it got when it last changed.

use std::num::ParseIntError;

use flagservice_core::Key;
use flagservice_rules::Targeting;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::ids::{EnvironmentId, FeatureId};
use crate::domain::targeting::StoredTargeting;
use crate::store::Result;
use crate::store::engine::columns::{corrupt, id, json, parse, signed, to_json, unsigned};
use crate::store::engine::readable::{Readable, Table};

const TABLE: Table = Table("targetings", &["environment_id", "feature_id"]);

/// The version of an environment as of which its targetings are known; none: nothing is known. Those that nobody has changed yet in a
/// new environment may have version 0.
#[derive(Clone, Copy, Debug)]
pub struct KnownVersion(pub Option<u64>);

impl KnownVersion {
    fn column(self) -> i64 {
        self.0.map_or(-1, signed)
    }
}

/// An environment, and which of its targetings are known.
#[derive(Clone, Copy)]
pub struct KnownEnvironment<'a> {
    /// The environment.
    pub id: &'a EnvironmentId,
    /// Targetings up to this version are known.
    pub version: KnownVersion,
}

/// All targetings of an environment in one text, yet to be read: thousands of rows cost more than what is in them.
#[derive(Debug)]
pub struct UnreadTargetings {
    /// The environment.
    pub environment_id: EnvironmentId,
    /// A line for each: the feature's id, the version, the targeting, nothing of one that is known. JSON as it is stored has no line
    /// breaks.
    lines: String,
}

/// A targeting yet to be read.
#[derive(Clone, Copy, Debug)]
pub struct UnreadTargeting<'a> {
    /// The feature's id.
    pub feature: &'a str,
    /// The environment's version that this targeting came with.
    pub version: u64,
    /// JSON; empty when it is known.
    pub text: &'a str,
}

impl UnreadTargeting<'_> {
    /// Reads the text.
    pub fn read(&self) -> Result<Targeting> {
        parse(self.text).map_err(|cause| corrupt("targeting", cause))
    }
}

impl UnreadTargetings {
    /// The targetings, one at a time.
    pub fn lines(&self) -> impl Iterator<Item = Result<UnreadTargeting<'_>>> {
        self.lines.lines().map(|line| {
            let [feature, version, text] =
                parts(line).ok_or_else(|| corrupt("targeting", "a line that has no parts"))?;
            let version = version.parse().map_err(|cause: ParseIntError| corrupt("version", cause))?;
            Ok(UnreadTargeting { feature, version, text })
        })
    }
}

fn parts(line: &str) -> Option<[&str; 3]> {
    let (feature, rest) = line.split_once(' ')?;
    let (version, text) = rest.split_once(' ')?;
    Some([feature, version, text])
}

/// Adds or replaces a feature's targeting.
pub async fn put(connection: &mut AnyConnection, environment: &EnvironmentId, stored: &StoredTargeting) -> Result<()> {
    sqlx::query(
        "INSERT INTO targetings (feature_id, environment_id, targeting, version) VALUES ($1, $2, $3, $4)
         ON CONFLICT (environment_id, feature_id) DO UPDATE SET targeting = excluded.targeting, version = excluded.version",
    )
    .bind(stored.feature_id.as_str())
    .bind(environment.as_str())
    .bind(to_json(&stored.targeting)?)
    .bind(signed(stored.version))
    .execute(connection)
    .await
    .map(drop)
}

/// All targetings of an environment.
pub async fn list(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<StoredTargeting>> {
    of_environment(connection, environment).await?.iter().map(stored_targeting).collect()
}

/// All targetings of an environment that can be read.
pub async fn list_readable(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
) -> Result<Readable<StoredTargeting>> {
    TABLE.readable(&of_environment(connection, environment).await?, stored_targeting)
}

async fn of_environment(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<AnyRow>> {
    sqlx::query("SELECT environment_id, feature_id, targeting, version FROM targetings WHERE environment_id = $1")
        .bind(environment.as_str())
        .fetch_all(connection)
        .await
}

/// The targetings of an environment that use a saved audience, and perhaps some whose texts mention it: so many by the features'
/// ids, from the first one after this id on.
pub async fn list_with_audience(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    audience: &Key,
    after: &str,
    limit: usize,
) -> Result<Vec<StoredTargeting>> {
    let rows = sqlx::query(
        "SELECT feature_id, targeting, version FROM targetings WHERE environment_id = $1 AND targeting LIKE $2
            AND feature_id > $3 ORDER BY feature_id LIMIT $4",
    )
    .bind(environment.as_str())
    // An underscore stands for any character; keys have no percent signs.
    .bind(format!("%\"audienceKey\":\"{audience}\"%"))
    .bind(after)
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    rows.iter().map(stored_targeting).collect()
}

/// The targetings of an environment that may have patterns, by the keys of their features.
pub async fn list_with_patterns(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
) -> Result<Vec<(String, Targeting)>> {
    let rows = sqlx::query(
        "SELECT f.key, t.targeting FROM targetings t JOIN features f ON f.id = t.feature_id WHERE t.environment_id = $1
            AND (t.targeting LIKE '%\"matches\"%' OR t.targeting LIKE '%\"audienceKey\"%')",
    )
    .bind(environment.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("key")?, json(row, "targeting")?))).collect()
}

/// The readable targetings of an environment of the features from one key to another, both included.
pub async fn list_between(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    first: &Key,
    last: &Key,
) -> Result<Readable<StoredTargeting>> {
    let rows = sqlx::query(
        "SELECT t.environment_id, t.feature_id, t.targeting, t.version FROM targetings t JOIN features f ON f.id = t.feature_id
         WHERE t.environment_id = $1 AND f.key >= $2 AND f.key <= $3",
    )
    .bind(environment.as_str())
    .bind(first.as_str())
    .bind(last.as_str())
    .fetch_all(connection)
    .await?;
    TABLE.readable(&rows, stored_targeting)
}

/// All targetings of two environments, without the text of those that are known; none of one that has no features.
pub async fn list_of_two(
    connection: &mut AnyConnection,
    one: KnownEnvironment<'_>,
    other: KnownEnvironment<'_>,
) -> Result<Vec<UnreadTargetings>> {
    let rows = sqlx::query(
        "SELECT environment_id, STRING_AGG(feature_id || ' ' || version || ' ' || CASE
            WHEN version > CASE environment_id WHEN $1 THEN CAST($3 AS BIGINT) ELSE CAST($4 AS BIGINT) END THEN targeting
            ELSE '' END, '\n') AS lines
         FROM targetings WHERE environment_id IN ($1, $2) GROUP BY environment_id",
    )
    .bind(one.id.as_str())
    .bind(other.id.as_str())
    .bind(one.version.column())
    .bind(other.version.column())
    .fetch_all(connection)
    .await?;
    let unread = |row: &AnyRow| {
        Ok(UnreadTargetings { environment_id: id(row, "environment_id")?, lines: row.try_get("lines")? })
    };
    rows.iter().map(unread).collect()
}

/// The feature's targeting in the environment.
pub async fn find(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    feature: &FeatureId,
) -> Result<Option<StoredTargeting>> {
    let row = sqlx::query(
        "SELECT feature_id, targeting, version FROM targetings WHERE environment_id = $1 AND feature_id = $2",
    )
    .bind(environment.as_str())
    .bind(feature.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(stored_targeting).transpose()
}

fn stored_targeting(row: &AnyRow) -> Result<StoredTargeting> {
    Ok(StoredTargeting {
        feature_id: id(row, "feature_id")?,
        targeting: json(row, "targeting")?,
        version: unsigned(row, "version")?,
    })
}
