//! Two environments of a project, feature by feature: both sides in full, in what they differ, and what a copy from the one
//! to the other would meet.

pub mod cache;
pub mod copied;
pub mod copy;

use std::collections::HashMap;
use std::sync::Arc;

use flagservice_core::Key;
use flagservice_rules::{Difference, Instant, Side, Violation, audiences_to_inline, compare};

use crate::app::changes::gate;
use crate::app::changes::targeting::initial;
use crate::app::changes::usable_audiences::select;
use crate::app::compare::cache::{CachedEnvironment, CachedTargeting, ComparisonCache};
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Need, Result};
use crate::domain::approval::Reason;
use crate::domain::audience::Audience;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::{ApprovalId, FeatureId};
use crate::domain::pipeline::Pipeline;
use crate::store::Connection;
use crate::store::changes::approvals;
use crate::store::changes::targetings::{self, KnownEnvironment, KnownVersion, UnreadTargetings};
use crate::store::resources::{audiences, environments, features, pipelines};

/// Two environments of a project side by side, as of one moment.
pub struct Comparison {
    /// Where a copy would come from.
    pub source: Environment,
    /// Where it would go to.
    pub target: Environment,
    /// The features that are not archived, by key.
    pub rows: Vec<Row>,
}

/// A feature in both environments.
pub struct Row {
    /// The feature.
    pub feature: Feature,
    /// Its targeting in the source.
    pub source: Targeted,
    /// Its targeting in the target.
    pub target: Targeted,
    /// In what they differ.
    pub differences: Vec<Difference>,
    /// The release pipeline that it is assigned to.
    pub pipeline: Option<Named>,
    /// Why a copy would be held for approval; it would not, if there is no reason.
    pub approval: Vec<Reason>,
    /// The audiences that a copy of the rules would write inline.
    pub inlined: Vec<Named>,
    /// The changes of the target's targeting that wait for their time, in the order of their times.
    pub scheduled: Vec<ScheduledChange>,
    /// Why it cannot be copied.
    pub cannot_copy: Option<CannotCopy>,
}

/// A feature's targeting in one of the two environments.
pub struct Targeted {
    /// What it serves to whom.
    pub held: Arc<CachedTargeting>,
    /// The environment's version that this targeting came with.
    pub version: u64,
}

/// Something by its key, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
}

/// A change that waits for its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledChange {
    /// The change.
    pub id: ApprovalId,
    /// Its time.
    pub at: Instant,
}

/// Why a feature cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotCopy {
    /// One change at a time waits for approval: this one.
    PendingApproval(ApprovalId),
}

/// The two environments to compare, by their keys.
#[derive(Clone, Copy)]
pub struct ComparisonQuery<'a> {
    /// Where a copy would come from.
    pub source: Option<&'a str>,
    /// Where it would go to.
    pub target: Option<&'a str>,
}

/// Two keys of environments, not the same.
#[derive(Clone, Copy)]
struct EnvironmentPair<'a> {
    source: &'a str,
    target: &'a str,
}

/// Compares the project's environments of these keys, and shows the comparison.
///
/// # Errors
/// [`AppError::Invalid`] when one is not named, or both are the same; [`AppError::NotFound`] when there is no such one;
/// [`AppError::ForbiddenUse`] for a token whose scope lacks one.
pub async fn read<View: Send + 'static>(
    app: &App,
    actor: &Actor,
    project: &str,
    query: ComparisonQuery<'_>,
    show: impl FnOnce(Comparison) -> View + Send + 'static,
) -> Result<View> {
    let pair = environment_pair(query)?;
    for key in [pair.source, pair.target] {
        actor.require_in_scope(Need::ReadEnvironment(project, key))?;
    }
    let input = {
        let mut snapshot = app.store.snapshot().await?;
        ComparisonInput::read(&mut snapshot, &app.comparison_cache, actor, project, pair).await?
    };
    // Thousands of rules take their time, and the threads that serve have others to serve.
    let cache = Arc::clone(&app.comparison_cache);
    tokio::task::spawn_blocking(move || input.compare(&cache).map(show)).await.map_err(anyhow::Error::new)?
}

/// The keys of two environments, or all that is wrong with them.
fn environment_pair(ComparisonQuery { source, target }: ComparisonQuery<'_>) -> Result<EnvironmentPair<'_>> {
    let named = |key: &&str| !key.trim().is_empty();
    let missing = |pointer: &str| Violation {
        pointer: pointer.to_owned(),
        detail: format!("Name an environment: {}=<its key>.", pointer.trim_start_matches('/')),
    };
    match (source.filter(named), target.filter(named)) {
        (Some(source), Some(target)) if source == target => {
            Err(AppError::invalid("/target", format!("'{target}' is the source already. Name another environment.")))
        }
        (Some(source), Some(target)) => Ok(EnvironmentPair { source, target }),
        (None, Some(_)) => Err(AppError::Invalid(vec![missing("/source")])),
        (Some(_), None) => Err(AppError::Invalid(vec![missing("/target")])),
        (None, None) => Err(AppError::Invalid(vec![missing("/source"), missing("/target")])),
    }
}

/// All that a comparison is made of, as of one moment: one query for each table.
struct ComparisonInput {
    source: Environment,
    target: Environment,
    features: Vec<Feature>,
    targetings: Vec<UnreadTargetings>,
    /// What the cache has of the source and of the target.
    cached: [Option<Arc<CachedEnvironment>>; 2],
    audiences: Vec<Audience>,
    pipelines: Vec<Pipeline>,
    pending: HashMap<FeatureId, ApprovalId>,
    scheduled: HashMap<FeatureId, Vec<ScheduledChange>>,
}

impl ComparisonInput {
    async fn read(
        connection: &mut Connection,
        cache: &ComparisonCache,
        actor: &Actor,
        project: &str,
        pair: EnvironmentPair<'_>,
    ) -> Result<Self> {
        let project = projects::find(connection, actor, project).await?;
        let mut environments = environments::list(connection, &project.id).await?;
        let mut take = |key: &str| {
            let place = environments.iter().position(|environment| environment.key.as_str() == key);
            place.map(|place| environments.swap_remove(place)).ok_or_else(|| AppError::not_found("environment", key))
        };
        let (source, target) = (take(pair.source)?, take(pair.target)?);
        let cached = [&source, &target].map(|environment| cache.get(environment));
        let known = |id, cached: &Option<Arc<CachedEnvironment>>| {
            let version = KnownVersion(cached.as_ref().map(|cached| cached.version()));
            KnownEnvironment { id, version }
        };
        let (known_source, known_target) = (known(&source.id, &cached[0]), known(&target.id, &cached[1]));
        let mut scheduled: HashMap<_, Vec<_>> = HashMap::new();
        for (feature, id, at) in approvals::scheduled_in(connection, &target.id).await? {
            scheduled.entry(feature).or_default().push(ScheduledChange { id, at });
        }
        Ok(Self {
            features: features::list(connection, &project.id).await?,
            targetings: targetings::list_of_two(connection, known_source, known_target).await?,
            cached,
            audiences: audiences::list(connection, &project.id).await?,
            pipelines: pipelines::list(connection, &project.id, "", i64::MAX).await?,
            pending: approvals::pending_in(connection, &target.id).await?.into_iter().collect(),
            scheduled,
            source,
            target,
        })
    }

    fn compare(self, cache: &ComparisonCache) -> Result<Comparison> {
        let Self { source, target, features, targetings, cached, audiences, pipelines, pending, mut scheduled } = self;
        let (usable_in_source, usable_in_target) = (select(&audiences, &source.id), select(&audiences, &target.id));
        let named = |key: &Key| {
            let audience = audiences.iter().find(|audience| audience.key == *key)?;
            Some(Named { key: audience.key.clone(), name: audience.name.clone() })
        };
        let read = |environment: &Environment, cached: Option<&CachedEnvironment>| -> Result<Arc<CachedEnvironment>> {
            let unread = targetings.iter().find(|unread| unread.environment_id == environment.id);
            let all = Arc::new(CachedEnvironment::new(environment, unread, cached)?);
            cache.put(environment, Arc::clone(&all));
            Ok(all)
        };
        let [cached_source, cached_target] = cached;
        let (of_source, of_target) =
            (read(&source, cached_source.as_deref())?, read(&target, cached_target.as_deref())?);
        let mut rows = Vec::with_capacity(features.len());
        for feature in features.into_iter().filter(|feature| feature.lifecycle.is_evaluated()) {
            let id = feature.id.as_str();
            let on_source = targeted(of_source.get(id), &feature)?;
            let on_target = targeted(of_target.get(id), &feature)?;
            let one = Side { targeting: &on_source.held.targeting, audiences: &usable_in_source };
            let other = Side { targeting: &on_target.held.targeting, audiences: &usable_in_target };
            let differences = compare(one, other);
            let inlined = audiences_to_inline(one, other).iter().filter_map(named).collect();
            let pipeline = pipelines.iter().find(|pipeline| Some(&pipeline.id) == feature.pipeline_id.as_ref());
            rows.push(Row {
                source: on_source,
                target: on_target,
                differences,
                pipeline: pipeline.map(|pipeline| Named { key: pipeline.key.clone(), name: pipeline.name.clone() }),
                approval: gate::reasons(&target, &feature, pipeline),
                inlined,
                scheduled: scheduled.remove(&feature.id).unwrap_or_default(),
                cannot_copy: pending.get(&feature.id).cloned().map(CannotCopy::PendingApproval),
                feature,
            });
        }
        Ok(Comparison { source, target, rows })
    }
}

/// The feature's targeting on a side; that of a new feature where nobody has targeted it yet.
fn targeted(stored: Option<&(u64, Arc<CachedTargeting>)>, feature: &Feature) -> Result<Targeted> {
    Ok(match stored {
        Some((version, held)) => Targeted { held: Arc::clone(held), version: *version },
        None => Targeted { held: Arc::new(CachedTargeting::new(initial(feature))?), version: 0 },
    })
}
