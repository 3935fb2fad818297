//! Changes of targeting that wait for approval, and those that waited.

use flagservice_core::Key;
use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::approval::{
    Approval, ApprovalFilter, ApprovalState, CopySource, Decider, Decision, NamedApproval, Person, Source,
};
use crate::domain::ids::{ApprovalId, EnvironmentId, FeatureId, OrganisationId, ProjectId, UserId};
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Result;
use crate::store::engine::columns::{
    boolean, corrupt, id, json, optional_json, parsed, signed, to_json, token, unsigned,
};
use crate::store::engine::readable::Table;

const TABLE: Table = Table("approvals", &["id"]);

const COLUMNS: &str = "a.id, a.project_id, a.feature_id, f.key AS feature_key, a.environment_id,
        e.key AS environment_key, a.state, a.kind, a.source_environment_key, a.copy_id, a.requester_id, a.requester_name,
        a.comment, a.reasons, a.before_targeting, a.after_targeting, a.feature_change, a.target_version, a.digest, a.decider_id,
        a.decider_name, a.decider_token_id, a.decider_token_creator_id, a.decided_at, a.staleness, a.revision, a.created_at,
        a.scheduled_for, a.settled_at";

const TABLES: &str =
    "FROM approvals a JOIN features f ON f.id = a.feature_id JOIN environments e ON e.id = a.environment_id";

/// Whether a change concerns production. One of the feature itself concerns all environments.
const PRODUCTION: &str = "CASE WHEN a.feature_change IS NULL THEN e.production
     ELSE (SELECT MAX(o.production) FROM environments o WHERE o.project_id = a.project_id) END";

/// Adds an approval.
pub async fn insert(connection: &mut AnyConnection, approval: &Approval) -> Result<()> {
    sqlx::query(
        "INSERT INTO approvals (id, project_id, feature_id, environment_id, state, kind, source_environment_key,
            requester_id, requester_name, comment, reasons, before_targeting, after_targeting, feature_change,
            target_version, digest, revision, created_at, copy_id, scheduled_for)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)",
    )
    .bind(approval.id.as_str())
    .bind(approval.project_id.as_str())
    .bind(approval.feature_id.as_str())
    .bind(approval.environment_id.as_str())
    .bind(approval.state.as_str())
    .bind(approval.source.kind())
    .bind(approval.source.environment().map(Key::as_str))
    .bind(approval.requester.id.as_str())
    .bind(approval.requester.name.as_str())
    .bind(approval.comment.as_str())
    .bind(to_json(&approval.reasons)?)
    .bind(to_json(&approval.before)?)
    .bind(to_json(&approval.after)?)
    .bind(approval.record_change.as_ref().map(to_json).transpose()?)
    .bind(signed(approval.target_version))
    .bind(approval.digest.as_str())
    .bind(signed(approval.revision))
    .bind(approval.requested_at.0)
    .bind(approval.source.copy_id().map(ApprovalId::as_str))
    .bind(approval.scheduled_for.map(|at| at.0))
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of an approval.
pub async fn update(connection: &mut AnyConnection, approval: &Approval) -> Result<()> {
    let token = approval.decision.as_ref().and_then(|decision| decision.token.as_ref());
    sqlx::query(
        "UPDATE approvals SET state = $1, decider_id = $2, decider_name = $3, decided_at = $4, staleness = $5, revision = $6,
            decider_token_id = $7, decider_token_creator_id = $8, settled_at = $9
         WHERE id = $10",
    )
    .bind(approval.state.as_str())
    .bind(approval.decision.as_ref().map(|decision| decision.by.id.as_str()))
    .bind(approval.decision.as_ref().map(|decision| decision.by.name.as_str()))
    .bind(approval.decision.as_ref().map(|decision| decision.at.0))
    .bind(approval.staleness.as_ref().map(to_json).transpose()?)
    .bind(signed(approval.revision))
    .bind(token.map(|token| token.id.as_str()))
    .bind(token.and_then(|token| token.creator_id.as_ref()).map(UserId::as_str))
    .bind(approval.settled_at.map(|at| at.0))
    .bind(approval.id.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// The project's approval of that id.
pub async fn find(connection: &mut AnyConnection, project: &ProjectId, id: &str) -> Result<Option<Approval>> {
    let row = sqlx::query(AssertSqlSafe(format!("SELECT {COLUMNS} {TABLES} WHERE a.project_id = $1 AND a.id = $2")))
        .bind(project.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(approval).transpose()
}

/// The project's approvals before a place in the list, newest first.
pub async fn page(
    connection: &mut AnyConnection,
    project: &ProjectId,
    filter: &ApprovalFilter,
    before: &str,
    limit: i64,
) -> Result<Vec<Approval>> {
    let statement = format!(
        "SELECT {COLUMNS} {TABLES} WHERE a.project_id = $1 AND ($2 = '' OR a.id < $2) AND ($3 = '' OR a.state = $3)
            AND ($4 = '' OR a.feature_id = $4)
            AND ($5 = '' OR a.environment_id = $5 OR a.feature_change IS NOT NULL) ORDER BY a.id DESC LIMIT $6"
    );
    let rows = sqlx::query(AssertSqlSafe(statement))
        .bind(project.as_str())
        .bind(before)
        .bind(filter.state.map_or("", ApprovalState::as_str))
        .bind(filter.feature.as_ref().map_or("", FeatureId::as_str))
        .bind(filter.environment.as_ref().map_or("", EnvironmentId::as_str))
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(approval).collect()
}

/// The pending approvals of all projects that the person can decide on, before a place in the list, newest first.
pub async fn to_decide(
    connection: &mut AnyConnection,
    decider: &Decider<'_>,
    before: &str,
    limit: i64,
) -> Result<Vec<NamedApproval>> {
    let statement = format!(
        "SELECT {COLUMNS}, p.key AS project_key, p.name AS project_name, f.name AS feature_name, e.name AS environment_name,
            COALESCE(s.name, a.source_environment_key) AS source_environment_name, {PRODUCTION} AS production
         {TABLES} JOIN projects p ON p.id = a.project_id
            LEFT JOIN environments s ON s.project_id = a.project_id AND s.key = a.source_environment_key
         WHERE p.organisation_id = $1 AND a.state = 'pending' AND ($2 = '' OR a.id < $2)
            AND a.requester_id <> $3 AND ($4 = 1 OR {PRODUCTION} = 0)
         ORDER BY a.id DESC LIMIT $5"
    );
    let rows = sqlx::query(AssertSqlSafe(statement))
        .bind(decider.organisation.as_str())
        .bind(before)
        .bind(decider.person.as_str())
        .bind(i64::from(decider.production))
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(named).collect()
}

fn named(row: &AnyRow) -> Result<NamedApproval> {
    Ok(NamedApproval {
        approval: approval(row)?,
        project_key: parsed(row, "project_key")?,
        project_name: row.try_get("project_name")?,
        feature_name: row.try_get("feature_name")?,
        environment_name: row.try_get("environment_name")?,
        source_environment_name: row.try_get("source_environment_name")?,
        production: boolean(row, "production")?,
    })
}

/// The one change of the feature's targeting in the environment that waits to be made as soon as it is approved.
pub async fn pending(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    feature: &FeatureId,
) -> Result<Option<ApprovalId>> {
    let row = sqlx::query(
        "SELECT id FROM approvals WHERE environment_id = $1 AND feature_id = $2 AND state = 'pending'
            AND scheduled_for IS NULL",
    )
    .bind(environment.as_str())
    .bind(feature.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| id(&row, "id")).transpose()
}

/// The last of the feature's scheduled changes in the environment that are due before an instant, approved or not yet.
pub async fn last_scheduled(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    feature: &FeatureId,
    before: Instant,
) -> Result<Option<Approval>> {
    let statement = format!(
        "SELECT {COLUMNS} {TABLES} WHERE a.environment_id = $1 AND a.feature_id = $2
            AND (a.state = 'scheduled' OR a.state = 'pending') AND a.scheduled_for < $3 ORDER BY a.scheduled_for DESC, a.id DESC LIMIT 1"
    );
    let row = sqlx::query(AssertSqlSafe(statement))
        .bind(environment.as_str())
        .bind(feature.as_str())
        .bind(before.0)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(approval).transpose()
}

/// The feature's scheduled changes in the environment that are due after an instant, in the order of their times, approved or not
/// yet. One that cannot be read is left out: it is set aside at its time.
pub async fn scheduled_after(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    feature: &FeatureId,
    after: Instant,
) -> Result<Vec<Approval>> {
    let statement = format!(
        "SELECT {COLUMNS} {TABLES} WHERE a.environment_id = $1 AND a.feature_id = $2
            AND (a.state = 'scheduled' OR a.state = 'pending') AND a.scheduled_for > $3 ORDER BY a.scheduled_for, a.id"
    );
    let rows = sqlx::query(AssertSqlSafe(statement))
        .bind(environment.as_str())
        .bind(feature.as_str())
        .bind(after.0)
        .fetch_all(connection)
        .await?;
    Ok(TABLE.readable(&rows, approval)?.rows)
}

/// The changes in an environment that wait for an approval or for their time. One that cannot be read is left out.
pub async fn waiting_in(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<Approval>> {
    waiting(connection, "a.environment_id", environment.as_str()).await
}

/// The changes of a feature that wait for an approval or for their time. One that cannot be read is left out.
pub async fn waiting_of(connection: &mut AnyConnection, feature: &FeatureId) -> Result<Vec<Approval>> {
    waiting(connection, "a.feature_id", feature.as_str()).await
}

async fn waiting(connection: &mut AnyConnection, column: &'static str, id: &str) -> Result<Vec<Approval>> {
    let statement = format!(
        "SELECT {COLUMNS} {TABLES} WHERE {column} = $1 AND (a.state = 'scheduled' OR a.state = 'pending') ORDER BY a.id"
    );
    let rows = sqlx::query(AssertSqlSafe(statement)).bind(id).fetch_all(connection).await?;
    Ok(TABLE.readable(&rows, approval)?.rows)
}

/// Files what was decided on features themselves under another environment, because theirs is deleted.
pub async fn move_record_changes(
    connection: &mut AnyConnection,
    from: &EnvironmentId,
    to: &EnvironmentId,
) -> Result<()> {
    sqlx::query(
        "UPDATE approvals SET environment_id = $1 WHERE environment_id = $2 AND feature_change IS NOT NULL
            AND state <> 'pending' AND state <> 'scheduled'",
    )
    .bind(to.as_str())
    .bind(from.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// All approvals that cannot be read.
pub async fn unreadable(connection: &mut AnyConnection) -> Result<Vec<UnreadableRow>> {
    let rows = sqlx::query(AssertSqlSafe(format!("SELECT {COLUMNS} {TABLES}"))).fetch(connection);
    TABLE.unreadable(rows, approval).await
}

/// A change whose time has come, and where it belongs.
pub struct Due {
    /// The change.
    pub id: ApprovalId,
    /// Its time.
    pub scheduled_for: Instant,
    /// The person who wants it.
    pub requester: UserId,
    /// The key of its project.
    pub project_key: String,
    /// The organisation of its project.
    pub organisation: OrganisationId,
}

/// The changes whose time has come, in the order of their times: the first `most`, or those that come after another.
pub async fn due(connection: &mut AnyConnection, now: Instant, after: Option<&Due>, most: i64) -> Result<Vec<Due>> {
    let rows = sqlx::query(
        "SELECT a.id, a.scheduled_for, a.requester_id, p.key AS project_key, p.organisation_id FROM approvals a
            JOIN projects p ON p.id = a.project_id
         WHERE a.scheduled_for <= $1 AND (a.state = 'scheduled' OR a.state = 'pending')
            AND (a.scheduled_for > $2 OR (a.scheduled_for = $2 AND a.id > $3))
         ORDER BY a.scheduled_for, a.id LIMIT $4",
    )
    .bind(now.0)
    .bind(after.map_or(i64::MIN, |last| last.scheduled_for.0))
    .bind(after.map_or("", |last| last.id.as_str()))
    .bind(most)
    .fetch_all(connection)
    .await?;
    let due = |row: &AnyRow| {
        Ok(Due {
            id: id(row, "id")?,
            scheduled_for: Instant(row.try_get("scheduled_for")?),
            requester: id(row, "requester_id")?,
            project_key: row.try_get("project_key")?,
            organisation: id(row, "organisation_id")?,
        })
    };
    rows.iter().map(due).collect()
}

/// When the next change is due.
pub async fn next_due(connection: &mut AnyConnection) -> Result<Option<Instant>> {
    let row = sqlx::query(
        "SELECT MIN(scheduled_for) AS next FROM approvals
         WHERE scheduled_for IS NOT NULL AND (state = 'scheduled' OR state = 'pending')",
    )
    .fetch_one(connection)
    .await?;
    Ok(row.try_get::<Option<i64>, _>("next")?.map(Instant))
}

/// The changes that wait in the environment to be made as soon as they are approved, each with its feature.
pub async fn pending_in(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
) -> Result<Vec<(FeatureId, ApprovalId)>> {
    let rows = sqlx::query("SELECT feature_id, id FROM approvals WHERE environment_id = $1 AND state = 'pending' AND scheduled_for IS NULL")
        .bind(environment.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| Ok((id(row, "feature_id")?, id(row, "id")?))).collect()
}

/// The changes that wait in the environment for their time, approved or not yet, each with its feature, in the order of their times.
pub async fn scheduled_in(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
) -> Result<Vec<(FeatureId, ApprovalId, Instant)>> {
    let rows = sqlx::query(
        "SELECT feature_id, id, scheduled_for FROM approvals WHERE environment_id = $1 AND scheduled_for IS NOT NULL
            AND (state = 'scheduled' OR state = 'pending') ORDER BY scheduled_for, id",
    )
    .bind(environment.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((id(row, "feature_id")?, id(row, "id")?, Instant(row.try_get("scheduled_for")?))))
        .collect()
}

fn approval(row: &AnyRow) -> Result<Approval> {
    let source_environment: Option<String> = row.try_get("source_environment_key")?;
    let source = match source_environment {
        None => Source::Edit,
        Some(key) => Source::Copy(CopySource {
            environment: Key::try_from(key).map_err(|cause| corrupt("source_environment_key", cause))?,
            copy_id: row.try_get::<Option<String>, _>("copy_id")?.map(ApprovalId::from),
        }),
    };
    let decided_at: Option<i64> = row.try_get("decided_at")?;
    let decision = match decided_at {
        None => None,
        Some(at) => {
            let by = Person { id: id(row, "decider_id")?, name: row.try_get("decider_name")? };
            let token = token(row, ["decider_token_id", "decider_token_creator_id"])?;
            Some(Decision { by, token, at: Instant(at) })
        }
    };
    Ok(Approval {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        feature_id: id(row, "feature_id")?,
        feature_key: parsed(row, "feature_key")?,
        environment_id: id(row, "environment_id")?,
        environment_key: parsed(row, "environment_key")?,
        state: parsed(row, "state")?,
        source,
        requester: Person { id: id(row, "requester_id")?, name: row.try_get("requester_name")? },
        requested_at: Instant(row.try_get("created_at")?),
        comment: row.try_get("comment")?,
        reasons: json(row, "reasons")?,
        before: json(row, "before_targeting")?,
        after: json(row, "after_targeting")?,
        record_change: optional_json(row, "feature_change")?,
        target_version: unsigned(row, "target_version")?,
        digest: row.try_get("digest")?,
        decision,
        staleness: optional_json(row, "staleness")?,
        scheduled_for: row.try_get::<Option<i64>, _>("scheduled_for")?.map(Instant),
        settled_at: row.try_get::<Option<i64>, _>("settled_at")?.map(Instant),
        revision: unsigned(row, "revision")?,
    })
}
