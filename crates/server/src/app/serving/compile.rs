//! From the database to a snapshot: a whole environment, or only the features that changed.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use crate::app::changes::targeting::{self, stored_or_initial};
use crate::app::changes::usable_audiences;
use crate::app::serving::rules::WrittenRules;
use crate::app::serving::snapshot::{EnvironmentSnapshot, SnapshotFeature, SnapshotKey};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::FeatureId;
use crate::store::changes::targetings;
use crate::store::resources::{features, sdk_keys};
use crate::store::{Connection, Result};
use flagservice_rules::{Audiences, CompiledFeature, RulesetFeature, Targeting};

/// Reads and compiles all of an environment.
pub(super) async fn whole(connection: &mut Connection, environment: &Environment) -> Result<EnvironmentSnapshot> {
    let audiences = usable_audiences::read(connection, &environment.project_id, &environment.id).await?;
    let stored = targetings::list(connection, &environment.id).await?;
    let mut stored: HashMap<_, _> = stored.into_iter().map(|stored| (stored.feature_id.clone(), stored)).collect();
    let mut compiled: Vec<_> = features::list(connection, &environment.project_id)
        .await?
        .iter()
        .filter(|feature| feature.lifecycle.is_evaluated())
        .map(|feature| compile(feature, &stored_or_initial(stored.remove(&feature.id), feature).targeting, &audiences))
        .collect();
    compiled.sort_by(|left, right| left.compiled.key().cmp(right.compiled.key()));
    snapshot(connection, environment, compiled).await
}

/// Compiles the changed features only, and keeps the others.
pub(super) async fn changed(
    connection: &mut Connection,
    environment: &Environment,
    known: &EnvironmentSnapshot,
    changed: &BTreeSet<FeatureId>,
) -> Result<EnvironmentSnapshot> {
    let audiences = usable_audiences::read(connection, &environment.project_id, &environment.id).await?;
    let mut compiled: Vec<_> =
        known.features.iter().filter(|feature| !changed.contains(&feature.id)).map(Arc::clone).collect();
    for id in changed {
        let Some(feature) = features::get(connection, id).await? else {
            continue;
        };
        if feature.lifecycle.is_evaluated() {
            let current = targeting::current(connection, &environment.id, &feature).await?;
            compiled.push(compile(&feature, &current.targeting, &audiences));
        }
    }
    compiled.sort_by(|left, right| left.compiled.key().cmp(right.compiled.key()));
    snapshot(connection, environment, compiled).await
}

fn compile(feature: &Feature, targeting: &Targeting, audiences: &dyn Audiences) -> Arc<SnapshotFeature> {
    let compiled = CompiledFeature::compile(&feature.key, &feature.salt, targeting, audiences);
    let written = WrittenRules::new(&RulesetFeature {
        key: feature.key.clone(),
        salt: feature.salt.clone(),
        targeting: targeting.standalone(audiences),
    });
    Arc::new(SnapshotFeature::new(feature.id.clone(), compiled, written, feature.value_type))
}

async fn snapshot(
    connection: &mut Connection,
    environment: &Environment,
    features: Vec<Arc<SnapshotFeature>>,
) -> Result<EnvironmentSnapshot> {
    let keys = sdk_keys::list(connection, &environment.id).await?;
    Ok(EnvironmentSnapshot {
        epoch: environment.epoch,
        version: environment.version,
        features,
        allowed_origins: environment.allowed_origins.clone(),
        keys: keys.into_iter().map(|key| SnapshotKey { id: key.id, kind: key.kind, hash: key.hash }).collect(),
        rules: OnceLock::new(),
    })
}
