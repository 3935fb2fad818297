//! Targeting of a feature in an environment, with the version that it got when it last changed.

use flagservice_rules::Targeting;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::Result;
use super::columns::{corrupt, id, json, signed, to_json, unsigned};
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

/// A targeting whose text is yet to be read: of thousands, that is the longest part, and nothing else has to wait for it.
#[derive(Debug)]
pub struct UnreadTargeting {
    /// The feature.
    pub feature_id: FeatureId,
    /// The environment.
    pub environment_id: EnvironmentId,
    text: String,
    version: u64,
}

impl UnreadTargeting {
    /// Reads the text.
    pub fn read(self) -> Result<StoredTargeting> {
        let targeting = serde_json::from_str(&self.text).map_err(|cause| corrupt("targeting", cause))?;
        Ok(StoredTargeting { feature_id: self.feature_id, targeting, version: self.version })
    }
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

/// All targetings of two environments.
pub async fn list_of_two(
    connection: &mut AnyConnection,
    (one, other): (&EnvironmentId, &EnvironmentId),
) -> Result<Vec<UnreadTargeting>> {
    let rows = sqlx::query(
        "SELECT feature_id, environment_id, targeting, version FROM targetings WHERE environment_id IN ($1, $2)",
    )
    .bind(one.as_str())
    .bind(other.as_str())
    .fetch_all(connection)
    .await?;
    let unread = |row: &AnyRow| {
        Ok(UnreadTargeting {
            feature_id: id(row, "feature_id")?,
            environment_id: id(row, "environment_id")?,
            text: row.try_get("targeting")?,
            version: unsigned(row, "version")?,
        })
    };
    rows.iter().map(unread).collect()
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
