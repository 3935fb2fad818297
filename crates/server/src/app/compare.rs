//! Two environments of a project, feature by feature: both sides in full, in what they differ, and what a copy from the one
//! to the other would meet.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::{Condition, Difference, Invalid, Side, compare, copied_inline};

use super::gate::{self, Reason};
use super::plan::initial;
use super::{Actor, App, AppError, Result, projects};
use crate::ids::{ApprovalId, EnvironmentId, FeatureId};
use crate::store::audiences::Audience;
use crate::store::environments::Environment;
use crate::store::features::Feature;
use crate::store::pipelines::Pipeline;
use crate::store::targetings::{StoredTargeting, UnreadTargeting};
use crate::store::{Connection, approvals, audiences, environments, features, pipelines, targetings};

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
    pub source: StoredTargeting,
    /// Its targeting in the target.
    pub target: StoredTargeting,
    /// In what they differ.
    pub differences: Vec<Difference>,
    /// The release pipeline that it is assigned to.
    pub pipeline: Option<Named>,
    /// Why a copy would be held for approval; it would not, if there is no reason.
    pub approval: Vec<Reason>,
    /// The audiences that a copy of the rules would write inline.
    pub inlined: Vec<Named>,
    /// Why it cannot be copied.
    pub cannot_copy: Option<CannotCopy>,
}

/// Something by its key, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
}

/// Why a feature cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotCopy {
    /// One change at a time waits for approval: this one.
    PendingApproval(ApprovalId),
}

/// Compares the project's environments of these keys.
///
/// # Errors
/// [`AppError::Invalid`] when one is not named, or both are the same; [`AppError::NotFound`] when there is no such one.
pub async fn read(
    app: &App,
    actor: &Actor,
    project: &str,
    (source, target): (Option<&str>, Option<&str>),
) -> Result<Comparison> {
    let (source, target) = two(source, target)?;
    let read = {
        let mut snapshot = app.store.snapshot().await?;
        Read::of(&mut snapshot, actor, project, (source, target)).await?
    };
    // Thousands of rules take their time, and the threads that serve have others to serve.
    tokio::task::spawn_blocking(move || read.compare()).await.map_err(anyhow::Error::new)?
}

/// The keys of two environments, or all that is wrong with them.
fn two<'a>(source: Option<&'a str>, target: Option<&'a str>) -> Result<(&'a str, &'a str)> {
    let named = |key: Option<&'a str>| key.filter(|key| !key.trim().is_empty());
    let missing = |pointer: &str| Invalid {
        pointer: pointer.to_owned(),
        detail: format!("Name an environment: {}=<its key>.", pointer.trim_start_matches('/')),
    };
    match (named(source), named(target)) {
        (Some(source), Some(target)) if source == target => {
            Err(AppError::invalid("/target", format!("'{target}' is the source already. Name another environment.")))
        }
        (Some(source), Some(target)) => Ok((source, target)),
        (None, Some(_)) => Err(AppError::Invalid(vec![missing("/source")])),
        (Some(_), None) => Err(AppError::Invalid(vec![missing("/target")])),
        (None, None) => Err(AppError::Invalid(vec![missing("/source"), missing("/target")])),
    }
}

/// All that a comparison is made of, as of one moment: one query for each table.
struct Read {
    source: Environment,
    target: Environment,
    features: Vec<Feature>,
    targetings: Vec<UnreadTargeting>,
    audiences: Vec<Audience>,
    pipelines: Vec<Pipeline>,
    pending: HashMap<FeatureId, ApprovalId>,
}

impl Read {
    async fn of(
        connection: &mut Connection,
        actor: &Actor,
        project: &str,
        (source, target): (&str, &str),
    ) -> Result<Self> {
        let project = projects::find(connection, actor, project).await?;
        let mut environments = environments::list(connection, &project.id).await?;
        let mut take = |key: &str| {
            let place = environments.iter().position(|environment| environment.key.as_str() == key);
            place.map(|place| environments.swap_remove(place)).ok_or_else(|| AppError::not_found("environment", key))
        };
        let (source, target) = (take(source)?, take(target)?);
        Ok(Self {
            features: features::list(connection, &project.id).await?,
            targetings: targetings::list_of_two(connection, (&source.id, &target.id)).await?,
            audiences: audiences::list(connection, &project.id).await?,
            pipelines: pipelines::list(connection, &project.id, "", i64::MAX).await?,
            pending: approvals::pending_in(connection, &target.id).await?.into_iter().collect(),
            source,
            target,
        })
    }

    fn compare(self) -> Result<Comparison> {
        let Self { source, target, features, targetings, audiences, pipelines, pending } = self;
        let usable = [usable(&audiences, &source.id), usable(&audiences, &target.id)];
        let named = |key: &Key| {
            let audience = audiences.iter().find(|audience| audience.key == *key)?;
            Some(Named { key: audience.key.clone(), name: audience.name.clone() })
        };
        let (mut of_source, mut of_target) = (HashMap::new(), HashMap::new());
        for unread in targetings {
            let side = if unread.environment_id == source.id { &mut of_source } else { &mut of_target };
            side.insert(unread.feature_id.clone(), unread);
        }
        let mut rows = Vec::with_capacity(features.len());
        for feature in features.into_iter().filter(|feature| feature.lifecycle.is_evaluated()) {
            let (on_source, on_target) = (stored(&mut of_source, &feature)?, stored(&mut of_target, &feature)?);
            let [one, other] = [(&on_source, &usable[0]), (&on_target, &usable[1])]
                .map(|(stored, audiences)| Side { targeting: &stored.targeting, audiences });
            let differences = compare(one, other);
            let inlined = copied_inline(one, other).iter().filter_map(named).collect();
            let pipeline = pipelines.iter().find(|pipeline| Some(&pipeline.id) == feature.pipeline_id.as_ref());
            rows.push(Row {
                source: on_source,
                target: on_target,
                differences,
                pipeline: pipeline.map(|pipeline| Named { key: pipeline.key.clone(), name: pipeline.name.clone() }),
                approval: gate::reasons(&target, &feature, pipeline),
                inlined,
                cannot_copy: pending.get(&feature.id).cloned().map(CannotCopy::PendingApproval),
                feature,
            });
        }
        Ok(Comparison { source, target, rows })
    }
}

fn usable(audiences: &[Audience], environment: &EnvironmentId) -> HashMap<Key, Vec<Condition>> {
    let usable = audiences.iter().filter(|audience| audience.scope.covers(environment));
    usable.map(|audience| (audience.key.clone(), audience.conditions.clone())).collect()
}

/// The feature's targeting on a side; that of a new feature where nobody has targeted it yet.
fn stored(side: &mut HashMap<FeatureId, UnreadTargeting>, feature: &Feature) -> Result<StoredTargeting> {
    match side.remove(&feature.id) {
        Some(unread) => Ok(unread.read()?),
        None => Ok(StoredTargeting { feature_id: feature.id.clone(), targeting: initial(feature), version: 0 }),
    }
}
