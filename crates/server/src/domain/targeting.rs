//! Targeting as it is stored.

use flagservice_rules::Targeting;

use crate::domain::ids::FeatureId;

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
