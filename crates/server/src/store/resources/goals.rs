//! Goals that clients sent, each counted once.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use flagservice_rules::Instant;
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
