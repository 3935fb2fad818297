//! Goals that clients sent, each counted once.

use std::collections::BTreeMap;

use flagservice_rules::Instant;
use sqlx::AnyConnection;

use super::Result;
use super::columns::to_json;
use crate::ids::EnvironmentId;

/// A goal that a user reached.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Random, made by the client: a repeat has the same.
    pub id: String,
    /// The goal's key.
    pub key: String,
    /// The user who reached it.
    pub user_id: String,
    /// The user's features at that moment.
    pub features: BTreeMap<String, String>,
}

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

/// How often each goal was reached in the environment.
pub async fn counts(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<(String, i64)>> {
    sqlx::query_as("SELECT key, COUNT(*) FROM goals WHERE environment_id = $1 GROUP BY key ORDER BY key")
        .bind(environment.as_str())
        .fetch_all(connection)
        .await
}
