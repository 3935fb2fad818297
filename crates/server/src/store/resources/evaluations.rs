//! How often features were evaluated, by hour and by day.

use std::collections::{BTreeMap, BTreeSet};

use flagservice_core::Key;
use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{EnvironmentId, FeatureId, ProjectId};
use crate::domain::insights::{ClientKind, Seen};
use crate::store::Result;
use crate::store::engine::columns::{parsed, signed, unsigned};
use crate::store::engine::placeholders::placeholders;

/// How many rows one statement writes.
const ROWS_AT_ONCE: usize = 50;

/// The tables of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Period {
    /// By hour.
    Hour,
    /// By day.
    Day,
}

impl Period {
    fn table(self) -> &'static str {
        match self {
            Self::Hour => "evaluation_hours",
            Self::Day => "evaluation_days",
        }
    }
}

/// What is counted together: the environment, the feature, the begin of the hour or day, the variant and the kind of client.
pub type CountKey<'a> = (&'a EnvironmentId, &'a str, Instant, &'a str, ClientKind);

/// A count of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Begin of the hour or day.
    pub starts_at: Instant,
    /// The variant.
    pub variant: String,
    /// What evaluated.
    pub client: ClientKind,
    /// How often.
    pub evaluations: u64,
}

/// Adds the ids of summaries, each unless it is there. Returns those that were added.
pub async fn insert_summaries<'a>(
    connection: &mut AnyConnection,
    summaries: &BTreeSet<(&'a EnvironmentId, &'a str)>,
    at: Instant,
) -> Result<BTreeSet<(&'a EnvironmentId, &'a str)>> {
    let mut added = BTreeSet::new();
    for (environment, id) in summaries {
        let inserted = sqlx::query(
            "INSERT INTO evaluation_summaries (environment_id, id, received_at) VALUES ($1, $2, $3)
             ON CONFLICT (environment_id, id) DO NOTHING",
        )
        .bind(environment.as_str())
        .bind(*id)
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
        if inserted.rows_affected() > 0 {
            added.insert((*environment, *id));
        }
    }
    Ok(added)
}

/// Adds to counts. Two nodes that add to the same ones never wait for each other, because both add in the order of the keys.
pub async fn add(connection: &mut AnyConnection, period: Period, counts: &BTreeMap<CountKey<'_>, u64>) -> Result<()> {
    let table = period.table();
    let counts: Vec<_> = counts.iter().collect();
    for counts in counts.chunks(ROWS_AT_ONCE) {
        let statement = format!(
            "INSERT INTO {table} (environment_id, feature_key, starts_at, variant, client, evaluations) VALUES {}
             ON CONFLICT (environment_id, feature_key, starts_at, variant, client)
             DO UPDATE SET evaluations = {table}.evaluations + excluded.evaluations",
            placeholders(counts.len(), 6),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for ((environment, feature, starts_at, variant, client), evaluations) in counts {
            query = query
                .bind(environment.as_str())
                .bind(*feature)
                .bind(starts_at.0)
                .bind(*variant)
                .bind(client.as_str())
                .bind(signed(**evaluations));
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Notes that features were evaluated, each between two instants.
pub async fn note(
    connection: &mut AnyConnection,
    seen: &BTreeMap<(&EnvironmentId, &str), (Instant, Instant)>,
) -> Result<()> {
    let seen: Vec<_> = seen.iter().collect();
    for seen in seen.chunks(ROWS_AT_ONCE) {
        let statement = format!(
            "INSERT INTO feature_evaluations (environment_id, feature_key, first_at, last_at) VALUES {}
             ON CONFLICT (environment_id, feature_key) DO UPDATE SET
                first_at = CASE WHEN excluded.first_at < feature_evaluations.first_at
                    THEN excluded.first_at ELSE feature_evaluations.first_at END,
                last_at = CASE WHEN excluded.last_at > feature_evaluations.last_at
                    THEN excluded.last_at ELSE feature_evaluations.last_at END",
            placeholders(seen.len(), 4),
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for ((environment, feature), (first, last)) in seen {
            query = query.bind(environment.as_str()).bind(*feature).bind(first.0).bind(last.0);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// The project's features after a place in the list, by key, except archived ones: when each was created and evaluated.
pub async fn seen_page(
    connection: &mut AnyConnection,
    project: &ProjectId,
    environment: &EnvironmentId,
    after: &str,
    limit: i64,
) -> Result<Vec<(String, Seen)>> {
    let rows = sqlx::query(
        "SELECT f.key, f.created_at, e.first_at, e.last_at FROM features f
            LEFT JOIN feature_evaluations e ON e.environment_id = $2 AND e.feature_key = f.key
         WHERE f.project_id = $1 AND f.lifecycle <> 'Archived' AND f.key > $3 ORDER BY f.key LIMIT $4",
    )
    .bind(project.as_str())
    .bind(environment.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("key")?, seen(row)?))).collect()
}

/// When a feature was created and evaluated.
pub async fn seen_of(connection: &mut AnyConnection, feature: &FeatureId, environment: &EnvironmentId) -> Result<Seen> {
    let row = sqlx::query(
        "SELECT f.created_at, e.first_at, e.last_at FROM features f
            LEFT JOIN feature_evaluations e ON e.environment_id = $2 AND e.feature_key = f.key
         WHERE f.id = $1",
    )
    .bind(feature.as_str())
    .bind(environment.as_str())
    .fetch_one(connection)
    .await?;
    seen(&row)
}

fn seen(row: &AnyRow) -> Result<Seen> {
    let at = |column: &str| row.try_get::<Option<i64>, _>(column).map(|at| at.map(Instant));
    let evaluated = at("first_at")?.zip(at("last_at")?);
    Ok(Seen { created_at: Instant(row.try_get("created_at")?), evaluated })
}

/// How often these features were evaluated in each hour since an instant.
pub async fn by_hour(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    features: &[String],
    since: Instant,
) -> Result<BTreeMap<(String, Instant), u64>> {
    let statement =
        "SELECT feature_key, starts_at, CAST(SUM(evaluations) AS BIGINT) AS evaluations FROM evaluation_hours";
    let rows = grouped(connection, (statement, "starts_at"), environment, features, since).await?;
    let count = |row: &AnyRow| {
        let starts_at = Instant(row.try_get("starts_at")?);
        Ok(((row.try_get("feature_key")?, starts_at), unsigned(row, "evaluations")?))
    };
    rows.iter().map(count).collect()
}

/// The variants of these features on the days since an instant, each with the first day that has it.
pub async fn variants(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    features: &[String],
    since: Instant,
) -> Result<BTreeMap<String, Vec<(String, Instant)>>> {
    let statement = "SELECT feature_key, variant, MIN(starts_at) AS starts_at FROM evaluation_days";
    let rows = grouped(connection, (statement, "variant"), environment, features, since).await?;
    let mut found: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for row in &rows {
        let variant = (row.try_get("variant")?, Instant(row.try_get("starts_at")?));
        found.entry(row.try_get("feature_key")?).or_default().push(variant);
    }
    Ok(found)
}

/// Reads counts of features since an instant, grouped by feature and another column.
async fn grouped(
    connection: &mut AnyConnection,
    (select, column): (&str, &str),
    environment: &EnvironmentId,
    features: &[String],
    since: Instant,
) -> Result<Vec<AnyRow>> {
    if features.is_empty() {
        return Ok(Vec::new());
    }
    let keys = placeholders(1, features.len());
    let (second, third) = (features.len() + 1, features.len() + 2);
    let statement = format!(
        "{select} WHERE feature_key IN {keys} AND environment_id = ${second} AND starts_at >= ${third}
         GROUP BY feature_key, {column} ORDER BY feature_key, {column}"
    );
    let query = features.iter().fold(sqlx::query(AssertSqlSafe(statement)), |query, key| query.bind(key.as_str()));
    query.bind(environment.as_str()).bind(since.0).fetch_all(connection).await
}

/// The counts of a feature since an instant, oldest first.
pub async fn of_feature(
    connection: &mut AnyConnection,
    period: Period,
    environment: &EnvironmentId,
    feature: &Key,
    since: Instant,
) -> Result<Vec<Count>> {
    let statement = format!(
        "SELECT starts_at, variant, client, evaluations FROM {}
         WHERE environment_id = $1 AND feature_key = $2 AND starts_at >= $3 ORDER BY starts_at, variant",
        period.table()
    );
    let query = sqlx::query(AssertSqlSafe(statement)).bind(environment.as_str()).bind(feature.as_str()).bind(since.0);
    let count = |row: &AnyRow| {
        Ok(Count {
            starts_at: Instant(row.try_get("starts_at")?),
            variant: row.try_get("variant")?,
            client: parsed(row, "client")?,
            evaluations: unsigned(row, "evaluations")?,
        })
    };
    query.fetch_all(connection).await?.iter().map(count).collect()
}

/// Removes what is known of a feature in all environments of its project.
pub async fn remove(connection: &mut AnyConnection, feature: &FeatureId) -> Result<()> {
    for table in [Period::Hour.table(), Period::Day.table(), "feature_evaluations"] {
        let statement = format!(
            "DELETE FROM {table} WHERE feature_key = (SELECT key FROM features WHERE id = $1) AND environment_id IN
                (SELECT e.id FROM environments e JOIN features f ON f.project_id = e.project_id WHERE f.id = $1)"
        );
        sqlx::query(AssertSqlSafe(statement)).bind(feature.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}
