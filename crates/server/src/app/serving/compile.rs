//! From the database to a snapshot: a whole environment, or only the features that changed.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use flagservice_core::Key;
use flagservice_rules::{
    Audiences, CompiledExperiment, CompiledFeature, Condition, Patterns, Rule, RuleAudience, RulesetExperiment,
    RulesetFeature, Targeting, pattern_text,
};

use crate::app::Result;
use crate::app::changes::targeting::{self, stored_or_initial};
use crate::app::changes::usable_audiences;
use crate::domain::environment::Environment;
use crate::domain::experiments::ServedExperiment;
use crate::domain::feature::Feature;
use crate::domain::ids::FeatureId;
use crate::domain::unreadable_row::UnreadableRow;
use crate::serving::rules::WrittenRules;
use crate::serving::snapshot::{EnvironmentSnapshot, FeatureRules, SnapshotEdgeKey, SnapshotFeature, SnapshotKey};
use crate::serving::text_cache::TextCache;
use crate::store::changes::targetings;
use crate::store::experiments::records;
use crate::store::resources::{audiences, edge_keys, features, sdk_keys};
use crate::store::{self, Connection, Readable, is_unreadable};

/// How often a long compilation shows that it is still running. The follower gives up what shows nothing for three seconds.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// How many changed features are read one by one, in two queries each. If more changed, all are read in two queries.
const MAX_SINGLE_READS: usize = 20;

/// A feature that is to be compiled.
struct Source {
    feature: Feature,
    targeting: Targeting,
    /// The experiment that runs with it, if one does.
    experiment: Option<RulesetExperiment>,
}

/// What is compiled, and what is set aside because it cannot be read.
#[derive(Default)]
struct Sources {
    readable: Vec<Source>,
    /// With the features that they belong to.
    unreadable: Vec<(FeatureId, UnreadableRow)>,
}

/// What features of an environment use beside their targeting: saved audiences, and running experiments.
struct Context {
    conditions: HashMap<Key, Vec<Condition>>,
    unreadable: Vec<UnreadableRow>,
    experiments: HashMap<FeatureId, RulesetExperiment>,
}

impl Context {
    async fn read(connection: &mut Connection, environment: &Environment) -> Result<Self> {
        let Readable { rows, unreadable } = audiences::list_readable(connection, &environment.project_id).await?;
        let experiments = records::served(connection, &environment.id).await?.into_iter();
        let experiments = experiments.map(|ServedExperiment { feature_id, number, audience, segments }| {
            (feature_id, RulesetExperiment { run: number, audience, segments })
        });
        let conditions = usable_audiences::select(&rows, &environment.id);
        Ok(Self { conditions, unreadable, experiments: experiments.collect() })
    }

    /// The audience that cannot be read, of those that the rules of a targeting name.
    fn unreadable_in(&self, targeting: &Targeting) -> Option<&UnreadableRow> {
        let named = |row: &&UnreadableRow| {
            let is_named = |rule: &Rule| matches!(&rule.audience, RuleAudience::Saved(key) if key.as_str() == row.key);
            targeting.enabled && targeting.rules.iter().any(is_named)
        };
        self.unreadable.iter().find(named)
    }
}

impl Sources {
    fn add(&mut self, feature: Feature, targeting: Targeting, context: &Context) {
        match context.unreadable_in(&targeting) {
            Some(row) => self.unreadable.push((feature.id, row.clone())),
            None => {
                let experiment = context.experiments.get(&feature.id).cloned();
                self.readable.push(Source { feature, targeting, experiment });
            }
        }
    }
}

/// Reads and compiles all of an environment. Features that cannot be read are left out: clients fall back to their own values.
pub(super) async fn whole(connection: &mut Connection, environment: &Environment) -> Result<EnvironmentSnapshot> {
    let context = Context::read(connection, environment).await?;
    let Sources { readable, unreadable } = sources(connection, environment, &context, |_| true).await?;
    let compiled = compile_all(readable, context.conditions).await?;
    snapshot(connection, environment, compiled, unreadable).await
}

/// Compiles the changed features only, and keeps the others, and those that cannot be read now.
pub(super) async fn changed(
    connection: &mut Connection,
    environment: &Environment,
    known: &EnvironmentSnapshot,
    changed: &BTreeSet<FeatureId>,
) -> Result<EnvironmentSnapshot> {
    let context = Context::read(connection, environment).await?;
    let Sources { readable, mut unreadable } = if changed.len() > MAX_SINGLE_READS {
        sources(connection, environment, &context, |id| changed.contains(id)).await?
    } else {
        single_sources(connection, environment, &context, changed).await?
    };
    let is_kept = |id: &FeatureId| !changed.contains(id) || unreadable.iter().any(|(unreadable, _)| unreadable == id);
    let kept = known.features.iter().filter(|feature| is_kept(&feature.id)).map(Arc::clone).collect::<Vec<_>>();
    let mut compiled = compile_all(readable, context.conditions).await?;
    compiled.extend(kept);
    unreadable.extend(known.unreadable.iter().filter(|(id, _)| !changed.contains(id)).cloned());
    snapshot(connection, environment, compiled, unreadable).await
}

/// Reads all features of an environment at once, and returns those that are wanted and served.
async fn sources(
    connection: &mut Connection,
    environment: &Environment,
    context: &Context,
    is_wanted: impl Fn(&FeatureId) -> bool,
) -> Result<Sources> {
    let targetings = targetings::list_readable(connection, &environment.id).await?;
    let mut targetings_by_feature: HashMap<_, _> =
        targetings.rows.into_iter().map(|stored| (stored.feature_id.clone(), stored)).collect();
    let features = features::list_readable(connection, &environment.project_id).await?;
    let mut sources = Sources::default();
    let of_feature = |row: UnreadableRow| (FeatureId::from(row.key.clone()), row);
    sources.unreadable.extend(features.unreadable.into_iter().map(of_feature));
    for row in targetings.unreadable {
        let feature = row.key.rsplit('/').next().unwrap_or_default().to_owned();
        sources.unreadable.push((FeatureId::from(feature), row));
    }
    sources.unreadable.retain(|(id, _)| is_wanted(id));
    for feature in
        features.rows.into_iter().filter(|feature| feature.lifecycle.is_evaluated() && is_wanted(&feature.id))
    {
        if sources.unreadable.iter().all(|(unreadable, _)| *unreadable != feature.id) {
            let stored = targetings_by_feature.remove(&feature.id);
            let stored = stored_or_initial(stored, &feature);
            if stored.is_served() {
                sources.add(feature, stored.targeting, context);
            }
        }
    }
    Ok(sources)
}

/// Reads features one by one, and returns those that are served.
async fn single_sources(
    connection: &mut Connection,
    environment: &Environment,
    context: &Context,
    ids: &BTreeSet<FeatureId>,
) -> Result<Sources> {
    let mut sources = Sources::default();
    for id in ids {
        match source(connection, environment, id).await {
            Ok(Some((feature, targeting))) => sources.add(feature, targeting, context),
            Ok(None) => {}
            Err(error) if is_unreadable(&error) => {
                let (table, key, problem) = ("targetings", format!("{}/{id}", environment.id), error.to_string());
                sources.unreadable.push((id.clone(), UnreadableRow { table, key, problem }));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(sources)
}

/// The feature with its targeting, if it is served.
async fn source(
    connection: &mut Connection,
    environment: &Environment,
    id: &FeatureId,
) -> store::Result<Option<(Feature, Targeting)>> {
    let feature = features::get(connection, id).await?;
    let Some(feature) = feature.filter(|feature| feature.lifecycle.is_evaluated()) else { return Ok(None) };
    let current = targeting::current(connection, &environment.id, &feature).await?;
    Ok(current.is_served().then_some((feature, current.targeting)))
}

/// Compiles features, away from the threads that serve if they have patterns that are not compiled yet.
async fn compile_all(
    sources: Vec<Source>,
    audiences: HashMap<Key, Vec<Condition>>,
) -> Result<Vec<Arc<SnapshotFeature>>> {
    // Rules of a targeting that is off are not compiled.
    let on = || sources.iter().map(|source| &source.targeting).filter(|targeting| targeting.enabled);
    let of_experiments = || sources.iter().filter_map(|source| source.experiment.as_ref());
    let texts = || {
        let of_experiments = of_experiments().flat_map(|experiment| &experiment.audience);
        on().flat_map(|targeting| targeting.conditions(&audiences)).chain(of_experiments).filter_map(pattern_text)
    };
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

fn compile(Source { feature, targeting, experiment }: &Source, audiences: &dyn Audiences) -> Arc<SnapshotFeature> {
    let written = WrittenRules::new(&RulesetFeature {
        key: feature.key.clone(),
        salt: feature.salt.clone(),
        targeting: targeting.standalone(audiences),
        experiment: experiment.clone(),
    });
    let rules = FeatureRules {
        compiled: CompiledFeature::compile(&feature.key, &feature.salt, targeting, audiences),
        experiment: experiment.as_ref().map(|experiment| CompiledExperiment::compile(&feature.key, experiment)),
        written,
    };
    Arc::new(SnapshotFeature::new(feature.id.clone(), feature.value_type, &feature.variants, rules))
}

async fn snapshot(
    connection: &mut Connection,
    environment: &Environment,
    mut features: Vec<Arc<SnapshotFeature>>,
    unreadable: Vec<(FeatureId, UnreadableRow)>,
) -> Result<EnvironmentSnapshot> {
    features.sort_by(|left, right| left.compiled.key().cmp(right.compiled.key()));
    let keys = sdk_keys::list(connection, &environment.id).await?;
    let edge_keys = edge_keys::of_environment(connection, &environment.project_id, &environment.id).await?;
    Ok(EnvironmentSnapshot {
        epoch: environment.epoch,
        version: environment.version,
        features,
        allowed_origins: environment.allowed_origins.clone(),
        unreadable,
        unreadable_keys: keys.unreadable,
        keys: keys.rows.into_iter().map(|key| SnapshotKey { id: key.id, kind: key.kind, hash: key.hash }).collect(),
        edge_keys: edge_keys.into_iter().map(|(id, hash)| SnapshotEdgeKey { id, hash }).collect(),
        rules: OnceLock::new(),
        bundles: TextCache::default(),
    })
}
