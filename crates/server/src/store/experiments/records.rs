//! Records of experiments.

use flagservice_rules::{Condition, Instant, Segments};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::experiments::{Design, Experiment, Run, RunningExperiment, ServedExperiment, Stop};
use crate::domain::ids::{AudienceId, EnvironmentId, ExperimentId, FeatureId, OrganisationId};
use crate::store::Result;
use crate::store::engine::columns::{corrupt, id, json, optional_json, parsed, signed, to_json, unsigned};
use crate::store::engine::readable::Table;

const SELECT: &str =
    "SELECT x.id, x.environment_id, x.feature_id, f.key AS feature_key, x.audience_id, a.key AS audience_key, x.key,
        x.name, x.design, x.state, x.number, x.run, x.guard_trips, x.stopped_at, x.decision, x.revision
     FROM experiments x JOIN features f ON f.id = x.feature_id LEFT JOIN audiences a ON a.id = x.audience_id";

const TABLE: Table = Table("experiments", &["id"]);

/// Adds a draft.
pub async fn insert(connection: &mut AnyConnection, experiment: &Experiment, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO experiments (id, environment_id, feature_id, audience_id, key, name, design, state, revision, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(experiment.id.as_str())
    .bind(experiment.environment_id.as_str())
    .bind(experiment.feature_id.as_str())
    .bind(experiment.audience_id.as_ref().map(AudienceId::as_str))
    .bind(experiment.key.as_str())
    .bind(experiment.name.as_str())
    .bind(to_json(&experiment.design)?)
    .bind(experiment.state.as_str())
    .bind(signed(experiment.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of an experiment. `participant_key` is the sealed key of one that is started now.
pub async fn update(
    connection: &mut AnyConnection,
    experiment: &Experiment,
    participant_key: Option<&str>,
) -> Result<()> {
    let Experiment { audience_id, name, design, state, run, guard_trips, stop, revision, .. } = experiment;
    sqlx::query(
        "UPDATE experiments SET audience_id = $1, name = $2, design = $3, state = $4, number = $5, run = $6, stopped_at = $7,
            decision = $8, revision = $9, participant_key = COALESCE($10, participant_key), guard_trips = $11 WHERE id = $12",
    )
    .bind(audience_id.as_ref().map(AudienceId::as_str))
    .bind(name.as_str())
    .bind(to_json(design)?)
    .bind(state.as_str())
    .bind(run.as_ref().map(|run| i64::from(run.number)))
    .bind(run.as_ref().map(to_json).transpose()?)
    .bind(stop.as_ref().map(|stop| stop.at.0))
    .bind(stop.as_ref().map(to_json).transpose()?)
    .bind(signed(*revision))
    .bind(participant_key)
    .bind(to_json(guard_trips)?)
    .bind(experiment.id.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// Deletes an experiment that does not run.
pub async fn delete(connection: &mut AnyConnection, id: &ExperimentId) -> Result<()> {
    sqlx::query("DELETE FROM experiments WHERE id = $1").bind(id.as_str()).execute(connection).await.map(drop)
}

/// The environment's experiments after a place in the list, by key.
pub async fn page(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    after: &str,
    limit: i64,
) -> Result<Vec<Experiment>> {
    let query = format!("{SELECT} WHERE x.environment_id = $1 AND x.key > $2 ORDER BY x.key LIMIT $3");
    let rows = sqlx::query(AssertSqlSafe(query))
        .bind(environment.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(experiment).collect()
}

/// The feature's experiments in all environments.
pub async fn of_feature(connection: &mut AnyConnection, feature: &FeatureId) -> Result<Vec<Experiment>> {
    let query = format!("{SELECT} WHERE x.feature_id = $1 ORDER BY x.id");
    let rows = sqlx::query(AssertSqlSafe(query)).bind(feature.as_str()).fetch_all(connection).await?;
    rows.iter().map(experiment).collect()
}

/// The environment's experiment of that key.
pub async fn find(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    key: &str,
) -> Result<Option<Experiment>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} WHERE x.environment_id = $1 AND x.key = $2")))
        .bind(environment.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(experiment).transpose()
}

/// The experiment of that id.
pub async fn get(connection: &mut AnyConnection, id: &ExperimentId) -> Result<Option<Experiment>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} WHERE x.id = $1")))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(experiment).transpose()
}

/// A running experiment with guards.
pub struct Guarded {
    /// Its id.
    pub id: ExperimentId,
    /// Its key.
    pub key: String,
    /// The organisation.
    pub organisation: OrganisationId,
    /// The key of the project.
    pub project: String,
    /// The key of the environment.
    pub environment: String,
}

/// All running experiments with guards. One that cannot be read is left out.
pub async fn guarded(connection: &mut AnyConnection) -> Result<Vec<Guarded>> {
    let rows = sqlx::query(
        "SELECT x.id, x.key, x.design, p.organisation_id, p.key AS project_key, e.key AS environment_key FROM experiments x
            JOIN environments e ON e.id = x.environment_id JOIN projects p ON p.id = e.project_id
         WHERE x.state = 'running' ORDER BY x.id",
    )
    .fetch_all(connection)
    .await?;
    let guarded = |row: &AnyRow| {
        let design: Design = json(row, "design")?;
        let found = Guarded {
            id: id(row, "id")?,
            key: row.try_get("key")?,
            organisation: id(row, "organisation_id")?,
            project: row.try_get("project_key")?,
            environment: row.try_get("environment_key")?,
        };
        Ok(Some(found).filter(|_| design.has_guards()))
    };
    Ok(TABLE.readable(&rows, guarded)?.rows.into_iter().flatten().collect())
}

/// The keys of the experiments that are not over and use an audience, with the keys of their environments.
pub async fn with_audience(connection: &mut AnyConnection, audience: &AudienceId) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(
        "SELECT x.key, e.key AS environment_key FROM experiments x JOIN environments e ON e.id = x.environment_id
         WHERE x.audience_id = $1 AND x.state <> 'stopped' ORDER BY 2, 1",
    )
    .bind(audience.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("key")?, row.try_get("environment_key")?))).collect()
}

/// The running experiments that use an audience.
pub async fn running_with_audience(connection: &mut AnyConnection, audience: &AudienceId) -> Result<Vec<Experiment>> {
    let query = format!("{SELECT} WHERE x.audience_id = $1 AND x.state = 'running' ORDER BY x.id");
    let rows = sqlx::query(AssertSqlSafe(query)).bind(audience.as_str()).fetch_all(connection).await?;
    rows.iter().map(experiment).collect()
}

/// The running experiment with a feature in an environment; there is at most one.
pub async fn running_with_feature(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    feature: &FeatureId,
) -> Result<Option<Experiment>> {
    let query = format!("{SELECT} WHERE x.environment_id = $1 AND x.feature_id = $2 AND x.state = 'running'");
    let row = sqlx::query(AssertSqlSafe(query))
        .bind(environment.as_str())
        .bind(feature.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(experiment).transpose()
}

/// The environment's running experiments, as they are counted. One that cannot be read is left out.
pub async fn running(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<RunningExperiment>> {
    let rows = sqlx::query(
        "SELECT x.id, x.feature_id, f.key AS feature_key, x.number, x.participant_key, x.run, x.design FROM experiments x
            JOIN features f ON f.id = x.feature_id WHERE x.environment_id = $1 AND x.state = 'running' ORDER BY x.number",
    )
    .bind(environment.as_str())
    .fetch_all(connection)
    .await?;
    let running = |row: &AnyRow| {
        let (run, design): (Run, Design) = (json(row, "run")?, json(row, "design")?);
        Ok(RunningExperiment {
            id: id(row, "id")?,
            feature_id: id(row, "feature_id")?,
            feature_key: parsed(row, "feature_key")?,
            number: number(row)?.unwrap_or_default(),
            participant_key: row.try_get("participant_key")?,
            variants: run.variants,
            goals: design.goals,
            segments: run.segments.len(),
        })
    };
    Ok(TABLE.readable(&rows, running)?.rows)
}

/// The environment's running experiments, as its rules name them. One that cannot be read is left out.
pub async fn served(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<ServedExperiment>> {
    let rows = sqlx::query(
        "SELECT x.id, x.feature_id, x.number, x.run, x.design, a.conditions FROM experiments x LEFT JOIN audiences a ON a.id = x.audience_id
         WHERE x.environment_id = $1 AND x.state = 'running'",
    )
    .bind(environment.as_str())
    .fetch_all(connection)
    .await?;
    let served = |row: &AnyRow| {
        let audience = optional_json::<Vec<Condition>>(row, "conditions")?.unwrap_or_default();
        let (run, design): (Run, Design) = (json(row, "run")?, json(row, "design")?);
        let segments = design.segment_attribute.map(|attribute| Segments { attribute, values: run.segments });
        Ok(ServedExperiment { feature_id: id(row, "feature_id")?, number: number(row)?, audience, segments })
    };
    Ok(TABLE.readable(&rows, served)?.rows)
}

/// An experiment whose participants are known: its environment, id, number and the sealed key of its participants.
pub struct WithParticipants {
    /// The environment.
    pub environment: EnvironmentId,
    /// The experiment.
    pub id: ExperimentId,
    /// Its number.
    pub number: u32,
    /// The sealed key.
    pub participant_key: String,
}

/// The organisation's experiments that were started; without one, those of all organisations.
pub async fn with_participants(
    connection: &mut AnyConnection,
    organisation: Option<&OrganisationId>,
) -> Result<Vec<WithParticipants>> {
    let rows = sqlx::query(
        "SELECT x.environment_id, x.id, x.number, x.participant_key FROM experiments x
            JOIN environments e ON e.id = x.environment_id JOIN projects p ON p.id = e.project_id
         WHERE x.participant_key IS NOT NULL AND p.organisation_id = COALESCE($1, p.organisation_id) ORDER BY x.id",
    )
    .bind(organisation.map(OrganisationId::as_str))
    .fetch_all(connection)
    .await?;
    let with_participants = |row: &AnyRow| {
        Ok(WithParticipants {
            environment: id(row, "environment_id")?,
            id: id(row, "id")?,
            number: number(row)?.unwrap_or_default(),
            participant_key: row.try_get("participant_key")?,
        })
    };
    rows.iter().map(with_participants).collect()
}

/// Replaces the sealed key of an experiment's participants, unless it has changed. Says whether it was replaced.
pub async fn reseal(connection: &mut AnyConnection, id: &ExperimentId, before: &str, sealed: &str) -> Result<bool> {
    let done = sqlx::query("UPDATE experiments SET participant_key = $1 WHERE id = $2 AND participant_key = $3")
        .bind(sealed)
        .bind(id.as_str())
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

fn number(row: &AnyRow) -> Result<Option<u32>> {
    let number: Option<i64> = row.try_get("number")?;
    number.map(u32::try_from).transpose().map_err(|cause| corrupt("number", cause))
}

fn experiment(row: &AnyRow) -> Result<Experiment> {
    let (audience, audience_key): (Option<String>, Option<String>) =
        (row.try_get("audience_id")?, row.try_get("audience_key")?);
    let number = number(row)?;
    let run = optional_json::<Run>(row, "run")?.map(|run| Run { number: number.unwrap_or_default(), ..run });
    let stopped_at: Option<i64> = row.try_get("stopped_at")?;
    let stop: Stop = optional_json(row, "decision")?.unwrap_or_default();
    let audience_key = audience_key.map(flagservice_core::Key::try_from).transpose();
    let audience_key = audience_key.map_err(|cause| corrupt("audience_key", cause))?;
    Ok(Experiment {
        id: id(row, "id")?,
        environment_id: id(row, "environment_id")?,
        feature_id: id(row, "feature_id")?,
        feature_key: parsed(row, "feature_key")?,
        audience_id: audience.map(AudienceId::from),
        audience_key: audience_key.or_else(|| stop.audience_key.clone()),
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        design: json(row, "design")?,
        state: parsed(row, "state")?,
        run,
        guard_trips: json(row, "guard_trips")?,
        stop: stopped_at.map(|at| Stop { at: Instant(at), ..stop }),
        revision: unsigned(row, "revision")?,
    })
}
