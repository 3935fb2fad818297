//! What a sweep removes, at most so many rows in one statement.

use flagservice_rules::Instant;
use sqlx::AnyConnection;

use crate::domain::retention::SweptKind;
use crate::store::Result;
use crate::store::engine::columns::signed;

/// Removes rows of experiments that were stopped before an instant, or are gone. It goes from one experiment to the next by the index,
/// and reads no rows of the others.
macro_rules! sweep_participants {
    ($table:literal, $key:literal) => {
        concat!(
            "WITH RECURSIVE numbers (experiment) AS (SELECT MIN(experiment) FROM ",
            $table,
            " UNION ALL SELECT (SELECT MIN(t.experiment) FROM ",
            $table,
            " t WHERE t.experiment > n.experiment) FROM numbers n WHERE n.experiment IS NOT NULL)
             DELETE FROM ",
            $table,
            " WHERE (experiment, ",
            $key,
            ") IN (SELECT t.experiment, ",
            $key,
            " FROM numbers n CROSS JOIN ",
            $table,
            " t WHERE t.experiment = n.experiment AND NOT EXISTS (SELECT 1 FROM experiments x
                WHERE x.number = n.experiment AND (x.stopped_at IS NULL OR x.stopped_at >= $1)) LIMIT $2)"
        )
    };
}

/// Removes counts of evaluations of hours or days that began before an instant.
macro_rules! sweep_evaluations {
    ($table:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE (environment_id, feature_key, starts_at, variant, client) IN
                (SELECT environment_id, feature_key, starts_at, variant, client FROM ",
            $table,
            " WHERE starts_at < $1 ORDER BY starts_at LIMIT $2)"
        )
    };
}

/// What one node at a time does from time to time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Periodic {
    /// Removes what has been kept long enough.
    Sweep,
    /// Rotates data keys.
    KeyRotation,
}

impl Periodic {
    /// Its row.
    fn id(self) -> i64 {
        match self {
            Self::Sweep => 1,
            Self::KeyRotation => 2,
        }
    }
}

/// Takes the work, if nobody began it after an instant. Says whether it was taken. One in the future is from a clock that was wrong.
pub async fn claim(connection: &mut AnyConnection, work: Periodic, now: Instant, since: Instant) -> Result<bool> {
    let taken = sqlx::query(
        "INSERT INTO sweeps (id, began_at) VALUES ($3, $1)
         ON CONFLICT (id) DO UPDATE SET began_at = excluded.began_at WHERE sweeps.began_at <= $2 OR sweeps.began_at > $1",
    )
    .bind(now.0)
    .bind(since.0)
    .bind(work.id())
    .execute(connection)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// Removes rows of a kind that ended before an instant, at most so many. Returns how many.
pub async fn remove(connection: &mut AnyConnection, kind: SweptKind, before: Instant, most: u64) -> Result<u64> {
    let removed = sqlx::query(statement(kind)).bind(before.0).bind(signed(most)).execute(connection).await?;
    Ok(removed.rows_affected())
}

fn statement(kind: SweptKind) -> &'static str {
    match kind {
        // By organisation, because that is how its index begins. A cross join is what SQLite does not reorder.
        SweptKind::AuditLog => {
            "DELETE FROM audit_log WHERE id IN (SELECT a.id FROM organisations o CROSS JOIN audit_log a
                WHERE a.organisation_id = o.id AND a.at < $1 LIMIT $2)"
        }
        // What every cursor has passed: that of the deliveries is stored, and only organisations with an integration have one.
        // Followers notice a gap, and read the environment as a whole. The oldest first, so that what is left has no gap.
        SweptKind::Outbox => {
            "DELETE FROM outbox WHERE (environment_id, version) IN (SELECT o.environment_id, o.version FROM outbox o
                JOIN environments e ON e.id = o.environment_id JOIN projects p ON p.id = e.project_id
                LEFT JOIN fan_out_cursors c ON c.environment_id = o.environment_id
             WHERE o.at < $1 AND (o.version <= COALESCE(c.version, 0)
                OR NOT EXISTS (SELECT 1 FROM integrations i WHERE i.organisation_id = p.organisation_id))
             ORDER BY o.at, o.version LIMIT $2)"
        }
        SweptKind::Goals => {
            "DELETE FROM goals WHERE (environment_id, id) IN
                (SELECT environment_id, id FROM goals WHERE received_at < $1 ORDER BY received_at LIMIT $2)"
        }
        SweptKind::GoalKeys => {
            "DELETE FROM goal_keys WHERE (environment_id, key) IN
                (SELECT environment_id, key FROM goal_keys WHERE used_at < $1 LIMIT $2)"
        }
        SweptKind::Participants => sweep_participants!("participants", "participant"),
        SweptKind::Conversions => sweep_participants!("conversions", "participant, goal"),
        SweptKind::Deliveries => {
            "DELETE FROM deliveries WHERE (integration_id, position) IN (SELECT integration_id, position FROM deliveries
                WHERE settled_at < $1 AND state <> 'waiting' ORDER BY settled_at LIMIT $2)"
        }
        SweptKind::Approvals => {
            "DELETE FROM approvals WHERE id IN
                (SELECT id FROM approvals WHERE decided_at < $1 AND (settled_at IS NULL OR settled_at < $1)
                    AND state <> 'pending' AND state <> 'scheduled'
                 UNION ALL SELECT id FROM approvals WHERE settled_at < $1 AND decided_at IS NULL LIMIT $2)"
        }
        SweptKind::Sessions => {
            "DELETE FROM sessions WHERE hash IN
                (SELECT hash FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)"
        }
        SweptKind::SetupLinks => {
            "DELETE FROM setup_links WHERE hash IN (SELECT hash FROM setup_links WHERE expires_at < $1 LIMIT $2)"
        }
        SweptKind::AccessTokens => {
            "DELETE FROM access_tokens WHERE id IN (SELECT id FROM access_tokens WHERE revoked_at < $1 LIMIT $2)"
        }
        SweptKind::SdkKeys => {
            "DELETE FROM sdk_keys WHERE id IN (SELECT id FROM sdk_keys WHERE revoked_at < $1 LIMIT $2)"
        }
        SweptKind::EdgeKeys => {
            "DELETE FROM edge_keys WHERE id IN (SELECT id FROM edge_keys WHERE revoked_at < $1 LIMIT $2)"
        }
        SweptKind::IdempotencyAnswers => {
            "DELETE FROM idempotency_records WHERE (user_id, key) IN (SELECT user_id, key FROM idempotency_records
                WHERE created_at < $1 ORDER BY created_at LIMIT $2)"
        }
        SweptKind::EvaluationHours => sweep_evaluations!("evaluation_hours"),
        SweptKind::EvaluationDays => sweep_evaluations!("evaluation_days"),
        SweptKind::EvaluationSummaries => {
            "DELETE FROM evaluation_summaries WHERE (environment_id, id) IN (SELECT environment_id, id
                FROM evaluation_summaries WHERE received_at < $1 ORDER BY received_at LIMIT $2)"
        }
    }
}
