//! Targeting of a feature in an environment, with the version that it got when it last changed.

use flagservice_rules::Targeting;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::Result;
use super::columns::{id, json, signed, to_json, unsigned};
use crate::ids::{EnvironmentId, FeatureId};

/// A feature's targeting in one environment.
#[derive(Clone, Debug)]
pub struct StoredTargeting {
    /// The feature.
    pub feature_id: FeatureId,
    /// What it serves to whom.
    pub targeting: Targeting,
    /// The environment's version that this targeting came with.
    pub version: u64,
}

/// Adds or replaces a feature's targeting.
pub async fn put(connection: &mut AnyConnection, environment: &EnvironmentId, stored: &StoredTargeting) -> Result<()> {
    sqlx::query(
        "INSERT INTO targetings (feature_id, environment_id, targeting, version) VALUES ($1, $2, $3, $4)
         ON CONFLICT (environment_id, feature_id) DO UPDATE SET targeting = excluded.targeting, version = excluded.version",
    )
    .bind(stored.feature_id.as_str())
    .bind(environment.as_str())
    .bind(to_json(&stored.targeting)?)
    .bind(signed(stored.version))
    .execute(connection)
    .await
    .map(drop)
}

/// All targetings of an environment.
pub async fn list(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<StoredTargeting>> {
    let rows = sqlx::query("SELECT feature_id, targeting, version FROM targetings WHERE environment_id = $1")
        .bind(environment.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(stored_targeting).collect()
}

/// The feature's targeting in the environment.
pub async fn find(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    feature: &FeatureId,
) -> Result<Option<StoredTargeting>> {
    let row = sqlx::query(
        "SELECT feature_id, targeting, version FROM targetings WHERE environment_id = $1 AND feature_id = $2",
    )
    .bind(environment.as_str())
    .bind(feature.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(stored_targeting).transpose()
}

fn stored_targeting(row: &AnyRow) -> Result<StoredTargeting> {
    Ok(StoredTargeting {
        feature_id: id(row, "feature_id")?,
        targeting: json(row, "targeting")?,
        version: unsigned(row, "version")?,
    })
}
