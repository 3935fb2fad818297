//! Goals that clients sent, each counted once.

use std::collections::BTreeMap;

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row};

use crate::domain::goal::{Goal, GoalCount};
use crate::domain::ids::EnvironmentId;
use crate::store::Result;
use crate::store::engine::columns::{json, to_json, unsigned};

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

/// Counts the environment's goals after a place in the list, by key and then by feature and variant.
pub async fn counts(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    after: &str,
    limit: i64,
) -> Result<Vec<GoalCount>> {
    let rows = sqlx::query(
        "SELECT key, features, COUNT(*) AS times FROM goals WHERE environment_id = $1 AND key IN
            (SELECT DISTINCT key FROM goals WHERE environment_id = $1 AND key > $2 ORDER BY key LIMIT $3)
         GROUP BY key, features",
    )
    .bind(environment.as_str())
    .bind(after)
    .bind(limit)
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
