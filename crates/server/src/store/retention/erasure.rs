//! Rows that belong to a person or a user, and are removed with them.

use sqlx::{AnyConnection, Row as _};

use crate::domain::ids::OrganisationId;
use crate::store::Result;
use crate::store::engine::columns::unsigned;

/// What of a person's account there is, and how much of it.
pub const ACCOUNT: [(&str, &str); 6] = [
    ("people", "SELECT COUNT(*) AS found FROM users WHERE id = $1"),
    ("accessTokens", "SELECT COUNT(*) AS found FROM access_tokens WHERE user_id = $1"),
    (
        "sessions",
        "SELECT COUNT(*) AS found FROM sessions s LEFT JOIN access_tokens t ON t.id = s.token_id
            LEFT JOIN identities i ON i.id = s.identity_id WHERE $1 IN (t.user_id, i.user_id)",
    ),
    ("setupLinks", "SELECT COUNT(*) AS found FROM setup_links WHERE user_id = $1"),
    ("preferences", "SELECT COUNT(*) AS found FROM preferences WHERE user_id = $1"),
    ("owners", "SELECT COUNT(*) AS found FROM features WHERE owner_id = $1"),
];

/// Runs one of the counts of [`ACCOUNT`].
pub async fn count(connection: &mut AnyConnection, statement: &'static str, id: &str) -> Result<u64> {
    let row = sqlx::query(statement).bind(id).fetch_one(connection).await?;
    unsigned(&row, "found")
}

/// The names that a person has or had, as far as the database still knows them.
pub async fn names(connection: &mut AnyConnection, organisation: &OrganisationId, id: &str) -> Result<Vec<String>> {
    let rows = sqlx::query(
        "SELECT name FROM users WHERE organisation_id = $1 AND id = $2
         UNION SELECT user_name FROM audit_log WHERE organisation_id = $1 AND user_id = $2
         UNION SELECT a.requester_name FROM approvals a JOIN projects p ON p.id = a.project_id
            WHERE p.organisation_id = $1 AND a.requester_id = $2
         UNION SELECT a.decider_name FROM approvals a JOIN projects p ON p.id = a.project_id
            WHERE p.organisation_id = $1 AND a.decider_id = $2
         UNION SELECT c.author_name FROM approval_comments c JOIN approvals a ON a.id = c.approval_id
            JOIN projects p ON p.id = a.project_id WHERE p.organisation_id = $1 AND c.author_id = $2",
    )
    .bind(organisation.as_str())
    .bind(id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// The states before and after of each change of a person's record.
pub async fn states(connection: &mut AnyConnection, organisation: &OrganisationId, id: &str) -> Result<Vec<String>> {
    let rows = sqlx::query(
        "SELECT COALESCE(before_state, 'null'), COALESCE(after_state, 'null') FROM audit_log
         WHERE organisation_id = $1 AND resource = $2",
    )
    .bind(organisation.as_str())
    .bind(format!("users/{id}"))
    .fetch_all(connection)
    .await?;
    let mut states = Vec::new();
    for row in rows {
        states.extend([row.try_get::<String, _>(0)?, row.try_get::<String, _>(1)?]);
    }
    Ok(states)
}

/// Puts another id where the person created a token or a link of somebody else, and into views that others have saved.
pub async fn forget_creator(connection: &mut AnyConnection, id: &str, neutral: &str) -> Result<()> {
    for statement in [
        "UPDATE access_tokens SET creator_id = $2 WHERE creator_id = $1",
        "UPDATE setup_links SET creator_id = $2 WHERE creator_id = $1",
        "UPDATE preferences SET views = REPLACE(views, $1, $2) WHERE REPLACE(views, $1, '') <> views",
    ] {
        sqlx::query(statement).bind(id).bind(neutral).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Deletes the person's answers to requests with an `Idempotency-Key`.
pub async fn delete_own_answers(connection: &mut AnyConnection, id: &str) -> Result<u64> {
    let done = sqlx::query("DELETE FROM idempotency_records WHERE user_id = $1").bind(id).execute(connection).await?;
    Ok(done.rows_affected())
}

/// An answer to a request with an `Idempotency-Key`.
pub struct Answer {
    user: String,
    key: String,
    /// Its body.
    pub body: String,
}

/// The organisation's answers that contain this JSON string. A request that is still running has none.
pub async fn answers(connection: &mut AnyConnection, organisation: &OrganisationId, text: &str) -> Result<Vec<Answer>> {
    let rows = sqlx::query(
        "SELECT user_id, key, body FROM idempotency_records WHERE status <> 0 AND REPLACE(body, $2, '') <> body
            AND user_id IN (SELECT id FROM users WHERE organisation_id = $1)",
    )
    .bind(organisation.as_str())
    .bind(text)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok(Answer { user: row.try_get(0)?, key: row.try_get(1)?, body: row.try_get(2)? })).collect()
}

/// Deletes an answer.
pub async fn delete_answer(connection: &mut AnyConnection, answer: &Answer) -> Result<()> {
    sqlx::query("DELETE FROM idempotency_records WHERE user_id = $1 AND key = $2")
        .bind(answer.user.as_str())
        .bind(answer.key.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// The next goals of a user after a place: the ids of their environments, and their own.
pub async fn goals(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    user: &str,
    after: &(String, String),
    most: i64,
) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(
        "SELECT g.environment_id, g.id FROM goals g JOIN environments e ON e.id = g.environment_id
            JOIN projects p ON p.id = e.project_id
         WHERE p.organisation_id = $1 AND g.user_id = $2 AND (g.environment_id > $3 OR (g.environment_id = $3 AND g.id > $4))
         ORDER BY g.environment_id, g.id LIMIT $5",
    )
    .bind(organisation.as_str())
    .bind(user)
    .bind(after.0.as_str())
    .bind(after.1.as_str())
    .bind(most)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Deletes a goal.
pub async fn delete_goal(connection: &mut AnyConnection, environment: &str, id: &str) -> Result<()> {
    sqlx::query("DELETE FROM goals WHERE environment_id = $1 AND id = $2")
        .bind(environment)
        .bind(id)
        .execute(connection)
        .await
        .map(drop)
}

/// The paths of targetings, audiences and pending approvals that contain this JSON string, each with the JSON that contains it.
pub async fn rules_with(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    text: &str,
) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(
        "SELECT 'projects/' || p.key || '/features/' || f.key || '/environments/' || e.key, t.targeting FROM targetings t
            JOIN features f ON f.id = t.feature_id JOIN environments e ON e.id = t.environment_id
            JOIN projects p ON p.id = e.project_id
         WHERE p.organisation_id = $1 AND REPLACE(t.targeting, $2, '') <> t.targeting
         UNION SELECT 'projects/' || p.key || '/audiences/' || a.key, a.conditions FROM audiences a
            JOIN projects p ON p.id = a.project_id
         WHERE p.organisation_id = $1 AND REPLACE(a.conditions, $2, '') <> a.conditions
         UNION SELECT 'projects/' || p.key || '/approvals/' || a.id, '[' || a.before_targeting || ',' || a.after_targeting || ']'
            FROM approvals a JOIN projects p ON p.id = a.project_id
         WHERE p.organisation_id = $1 AND a.state IN ('pending', 'scheduled')
            AND REPLACE(a.before_targeting || a.after_targeting, $2, '') <> a.before_targeting || a.after_targeting
         ORDER BY 1",
    )
    .bind(organisation.as_str())
    .bind(text)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}
