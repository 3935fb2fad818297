//! Goals that clients sent, each counted once.

use std::collections::BTreeMap;

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row};

use crate::domain::goal::{Goal, GoalCount, MAX_KEY_CHARACTERS};
use crate::domain::ids::EnvironmentId;
use crate::store::Result;
use crate::store::engine::columns::{json, signed, to_json, unsigned};

/// Adds a goal unless one of that id is there; says whether it was added.
pub async fn insert(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    goal: &Goal,
    at: Instant,
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO goals (environment_id, id, key, user_id, features, received_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (environment_id, id) DO NOTHING",
    )
    .bind(environment.as_str())
    .bind(goal.id.as_str())
    .bind(goal.key.as_str())
    .bind(goal.user_id.as_str())
    .bind(to_json(&goal.features)?)
    .bind(at.0)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores the key of a goal with the time of its use, unless the environment has as many other keys as it may have. Says whether
/// it is stored.
pub async fn keep_key(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    key: &str,
    at: Instant,
    most: u64,
) -> Result<bool> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS stored, COALESCE(SUM(CASE WHEN key = $2 THEN 1 ELSE 0 END), 0) AS this FROM goal_keys
         WHERE environment_id = $1",
    )
    .bind(environment.as_str())
    .bind(key)
    .fetch_one(&mut *connection)
    .await?;
    if unsigned(&row, "this")? == 0 && unsigned(&row, "stored")? >= most {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO goal_keys (environment_id, key, used_at) VALUES ($1, $2, $3)
         ON CONFLICT (environment_id, key) DO UPDATE SET used_at = excluded.used_at",
    )
    .bind(environment.as_str())
    .bind(key)
    .bind(at.0)
    .execute(connection)
    .await?;
    Ok(true)
}

/// Deletes goals that were received before an instant, at most so many; returns how many.
pub async fn delete_before(connection: &mut AnyConnection, before: Instant, most: u64) -> Result<u64> {
    let done = sqlx::query(
        "DELETE FROM goals WHERE (environment_id, id) IN
            (SELECT environment_id, id FROM goals WHERE received_at < $1 ORDER BY received_at LIMIT $2)",
    )
    .bind(before.0)
    .bind(signed(most))
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes the keys of goals that were last used before an instant.
pub async fn delete_keys_before(connection: &mut AnyConnection, before: Instant) -> Result<()> {
    sqlx::query("DELETE FROM goal_keys WHERE used_at < $1").bind(before.0).execute(connection).await.map(drop)
}

/// Counts the environment's goals after a place in the list, by key and then by feature and variant. Longer keys, which
/// earlier releases stored, are left out: they do not fit into a cursor.
pub async fn counts(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    after: &str,
    limit: i64,
) -> Result<Vec<GoalCount>> {
    let rows = sqlx::query(
        "SELECT key, features, COUNT(*) AS times FROM goals WHERE environment_id = $1 AND key IN
            (SELECT DISTINCT key FROM goals WHERE environment_id = $1 AND key > $2 AND LENGTH(key) <= $4 ORDER BY key LIMIT $3)
         GROUP BY key, features",
    )
    .bind(environment.as_str())
    .bind(after)
    .bind(limit)
    .bind(signed(MAX_KEY_CHARACTERS as u64))
    .fetch_all(connection)
    .await?;
    let mut counts: BTreeMap<String, GoalCount> = BTreeMap::new();
    for row in &rows {
        let key: String = row.try_get("key")?;
        let times = unsigned(row, "times")?;
        let features: BTreeMap<String, String> = json(row, "features")?;
        let goal = counts.entry(key.clone()).or_insert(GoalCount { key, count: 0, features: BTreeMap::new() });
        goal.count += times;
        for (feature, variant) in features {
            *goal.features.entry(feature).or_default().entry(variant).or_default() += times;
        }
    }
    Ok(counts.into_values().collect())
}
