//! From the database to a snapshot: a whole environment, or only the features that changed.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use flagservice_core::Key;
use flagservice_rules::{Audiences, CompiledFeature, Condition, Patterns, RulesetFeature, Targeting, pattern_text};

use crate::app::Result;
use crate::app::changes::targeting::{self, stored_or_initial};
use crate::app::changes::usable_audiences;
use crate::app::serving::rules::WrittenRules;
use crate::app::serving::snapshot::{EnvironmentSnapshot, SnapshotFeature, SnapshotKey};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::FeatureId;
use crate::store::Connection;
use crate::store::changes::targetings;
use crate::store::resources::{features, sdk_keys};

/// How often a long compilation shows that it is still running. The follower gives up what shows nothing for three seconds.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// A feature that is to be compiled, with its targeting.
type Source = (Feature, Targeting);

/// Reads and compiles all of an environment.
pub(super) async fn whole(connection: &mut Connection, environment: &Environment) -> Result<EnvironmentSnapshot> {
    let audiences = usable_audiences::read(connection, &environment.project_id, &environment.id).await?;
    let stored = targetings::list(connection, &environment.id).await?;
    let mut stored: HashMap<_, _> = stored.into_iter().map(|stored| (stored.feature_id.clone(), stored)).collect();
    let features = features::list(connection, &environment.project_id).await?.into_iter();
    let sources = features.filter(|feature| feature.lifecycle.is_evaluated()).map(|feature| {
        let targeting = stored_or_initial(stored.remove(&feature.id), &feature).targeting;
        (feature, targeting)
    });
    let compiled = compile_all(sources.collect(), audiences).await?;
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
    let mut sources = Vec::new();
    for id in changed {
        let Some(feature) = features::get(connection, id).await? else {
            continue;
        };
        if feature.lifecycle.is_evaluated() {
            let current = targeting::current(connection, &environment.id, &feature).await?;
            sources.push((feature, current.targeting));
        }
    }
    let mut compiled = compile_all(sources, audiences).await?;
    compiled.extend(known.features.iter().filter(|feature| !changed.contains(&feature.id)).map(Arc::clone));
    snapshot(connection, environment, compiled).await
}

/// Compiles features, away from the threads that serve if they have patterns that are not compiled yet.
async fn compile_all(
    sources: Vec<Source>,
    audiences: HashMap<Key, Vec<Condition>>,
) -> Result<Vec<Arc<SnapshotFeature>>> {
    // Rules of a targeting that is off are not compiled.
    let on = || sources.iter().map(|(_, targeting)| targeting).filter(|targeting| targeting.enabled);
    let texts = || on().flat_map(|targeting| targeting.conditions(&audiences)).filter_map(pattern_text);
    // Until the features have them.
    let known = Patterns::known(texts());
    if texts().all(|text| known.contains(text)) {
        return Ok(sources.iter().map(|source| compile(source, &audiences)).collect());
    }
    let work = move || sources.iter().map(|source| compile(source, &audiences)).collect::<Vec<_>>();
    let mut compiling = tokio::task::spawn_blocking(work);
    loop {
        match tokio::time::timeout(SIGN_OF_LIFE, &mut compiling).await {
            Ok(compiled) => return Ok(compiled.map_err(anyhow::Error::new)?),
            Err(_) => tracing::info!("compiling the patterns of an environment takes long"),
        }
    }
}

fn compile((feature, targeting): &Source, audiences: &dyn Audiences) -> Arc<SnapshotFeature> {
    let compiled = CompiledFeature::compile(&feature.key, &feature.salt, targeting, audiences);
    let written = WrittenRules::new(&RulesetFeature {
        key: feature.key.clone(),
        salt: feature.salt.clone(),
        targeting: targeting.standalone(audiences),
    });
    Arc::new(SnapshotFeature::new(feature, compiled, written))
}

async fn snapshot(
    connection: &mut Connection,
    environment: &Environment,
    mut features: Vec<Arc<SnapshotFeature>>,
) -> Result<EnvironmentSnapshot> {
    features.sort_by(|left, right| left.compiled.key().cmp(right.compiled.key()));
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
