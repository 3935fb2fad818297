//! Goals that clients sent, each counted once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::goal::{Goal, GoalCount, MAX_KEY_CHARACTERS};
use crate::domain::ids::EnvironmentId;
use crate::store::Result;
use crate::store::engine::columns::{id, json, signed, to_json, unsigned};
use crate::store::engine::placeholders::placeholders;

/// How many rows one statement writes.
const ROWS_AT_ONCE: usize = 50;

/// Adds goals, each unless one of that id is there. Returns those that were added.
pub async fn insert(
    connection: &mut AnyConnection,
    goals: &[(&EnvironmentId, &Goal)],
    at: Instant,
) -> Result<BTreeSet<(EnvironmentId, String)>> {
    let mut added = BTreeSet::new();
    for goals in goals.chunks(ROWS_AT_ONCE) {
        let statement = format!(
            "INSERT INTO goals (environment_id, id, key, user_id, features, received_at) VALUES {}
             ON CONFLICT (environment_id, id) DO NOTHING RETURNING environment_id, id",
            placeholders(goals.len(), 6),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (environment, goal) in goals {
            query = query
                .bind(environment.as_str())
                .bind(goal.id.as_str())
                .bind(goal.key.as_str())
                .bind(goal.user_id.as_str())
                .bind(to_json(&goal.features)?)
                .bind(at.0);
        }
        for row in query.fetch_all(&mut *connection).await? {
            added.insert((id(&row, "environment_id")?, row.try_get("id")?));
        }
    }
    Ok(added)
}

/// The keys that the environment's goals have.
pub async fn keys(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<HashSet<String>> {
    let rows = sqlx::query("SELECT key FROM goal_keys WHERE environment_id = $1")
        .bind(environment.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| row.try_get("key")).collect()
}

/// Stores keys of goals with the time of their use. None may be there twice.
pub async fn put_keys(connection: &mut AnyConnection, keys: &[(&EnvironmentId, &str)], at: Instant) -> Result<()> {
    for keys in keys.chunks(ROWS_AT_ONCE) {
        let statement = format!(
            "INSERT INTO goal_keys (environment_id, key, used_at) VALUES {}
             ON CONFLICT (environment_id, key) DO UPDATE SET used_at = excluded.used_at",
            placeholders(keys.len(), 3),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (environment, key) in keys {
            query = query.bind(environment.as_str()).bind(*key).bind(at.0);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Counts the environment's goals after a place in the list, by key and then by feature and variant. Longer keys, which
/// earlier releases stored, are left out: they do not fit into a cursor. So are features that no longer exist: a new one of the
/// same key counts from its creation on.
pub async fn counts(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    after: &str,
    limit: i64,
) -> Result<Vec<GoalCount>> {
    let rows = sqlx::query(
        "SELECT key, features, COUNT(*) AS times, MIN(received_at) AS first, MAX(received_at) AS last FROM goals
         WHERE environment_id = $1 AND key IN
            (SELECT DISTINCT key FROM goals WHERE environment_id = $1 AND key > $2 AND LENGTH(key) <= $4 ORDER BY key LIMIT $3)
         GROUP BY key, features",
    )
    .bind(environment.as_str())
    .bind(after)
    .bind(limit)
    .bind(signed(MAX_KEY_CHARACTERS as u64))
    .fetch_all(&mut *connection)
    .await?;
    let created = creation_times(connection, environment).await?;
    let mut counts: BTreeMap<String, GoalCount> = BTreeMap::new();
    for row in &rows {
        let key: String = row.try_get("key")?;
        let times = unsigned(row, "times")?;
        let (first, last): (i64, i64) = (row.try_get("first")?, row.try_get("last")?);
        let features: BTreeMap<String, String> = json(row, "features")?;
        let goal = counts.entry(key.clone()).or_insert(GoalCount { key, count: 0, features: BTreeMap::new() });
        goal.count += times;
        for (feature, variant) in features {
            let times = match created.get(&feature) {
                Some(created) if *created <= first => times,
                Some(created) if *created <= last => count_since(connection, environment, row, *created).await?,
                Some(_) | None => continue,
            };
            *goal.features.entry(feature).or_default().entry(variant).or_default() += times;
        }
    }
    Ok(counts.into_values().collect())
}

/// When each feature of the environment's project was created, by its key.
async fn creation_times(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<HashMap<String, i64>> {
    let statement =
        "SELECT f.key, f.created_at FROM features f JOIN environments e ON e.project_id = f.project_id WHERE e.id = $1";
    let rows = sqlx::query(statement).bind(environment.as_str()).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get("key")?, row.try_get("created_at")?))).collect()
}

/// How many goals with the key and the features of a row were received from a time on.
async fn count_since(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    row: &AnyRow,
    since: i64,
) -> Result<u64> {
    let (key, features): (String, String) = (row.try_get("key")?, row.try_get("features")?);
    let row = sqlx::query(
        "SELECT COUNT(*) AS times FROM goals WHERE environment_id = $1 AND key = $2 AND features = $3 AND received_at >= $4",
    )
    .bind(environment.as_str())
    .bind(key)
    .bind(features)
    .bind(since)
    .fetch_one(connection)
    .await?;
    unsigned(&row, "times")
}
