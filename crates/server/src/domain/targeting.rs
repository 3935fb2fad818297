//! Targeting as it is stored.

use flagservice_core::variant;
use flagservice_rules::Targeting;

use crate::domain::ids::FeatureId;

/// A feature's targeting in one environment.
#[derive(Clone, Debug)]
pub struct StoredTargeting {
    /// The feature.
    pub feature_id: FeatureId,
    /// What it serves to whom.
    pub targeting: Targeting,
    /// The environment's version that this targeting came with; 0 if nobody has targeted the feature there yet.
    pub version: u64,
}

impl StoredTargeting {
    /// Whether the environment serves the feature. Until somebody has targeted it there, only `off` may be served.
    pub fn is_served(&self) -> bool {
        self.version > 0 || self.targeting.off_variant.as_str() == variant::OFF
    }
}
