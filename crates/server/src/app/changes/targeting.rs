//! The current targeting of a feature in an environment: the stored one, or the initial one where nobody has targeted it yet.

use flagservice_core::variant;
use flagservice_rules::Targeting;

use crate::domain::feature::Feature;
use crate::domain::ids::EnvironmentId;
use crate::domain::targeting::StoredTargeting;
use crate::store::changes::targetings;
use crate::store::{self, Connection};

/// The current targeting of the feature in the environment.
///
/// # Errors
/// When the database fails.
pub async fn current(
    connection: &mut Connection,
    environment: &EnvironmentId,
    feature: &Feature,
) -> store::Result<StoredTargeting> {
    Ok(stored_or_initial(targetings::find(connection, environment, &feature.id).await?, feature))
}

/// The stored targeting; else the initial one, at version 0.
pub fn stored_or_initial(stored: Option<StoredTargeting>, feature: &Feature) -> StoredTargeting {
    stored.unwrap_or_else(|| StoredTargeting {
        feature_id: feature.id.clone(),
        targeting: initial(feature),
        version: 0,
    })
}

/// The targeting of a feature that nobody has targeted yet: switched off, serving `off`, or its last variant without one.
pub fn initial(feature: &Feature) -> Targeting {
    let off = feature.variants.iter().find(|key| key.as_str() == variant::OFF).or(feature.variants.last());
    Targeting { enabled: false, off_variant: off.unwrap_or(&feature.key).clone(), rules: Vec::new() }
}
