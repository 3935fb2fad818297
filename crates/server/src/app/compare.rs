//! Two environments of a project, feature by feature: both sides in full, in what they differ, and what a copy from the one
//! to the other would meet.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use flagservice_core::Key;
use flagservice_rules::{Condition, Difference, Invalid, Side, Targeting, compare, copied_inline};
use serde::Serialize;

use super::plan::initial;
use super::{Actor, App, AppError, Result, projects};
use crate::ids::{EnvironmentId, FeatureId};
use crate::store::audiences::Audience;
use crate::store::environments::Environment;
use crate::store::features::Feature;
use crate::store::pipelines::Pipeline;
use crate::store::targetings::{UnreadTargeting, UnreadTargetings};
use crate::store::{Connection, audiences, environments, features, pipelines, targetings};

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
    pub approval: Vec<ApprovalReason>,
    /// The audiences that a copy of the rules would write inline.
    pub inlined: Vec<Named>,
    /// Why it cannot be copied.
    pub cannot_copy: Option<CannotCopy>,
}

/// A feature's targeting in one of the two environments.
pub struct Targeted {
    /// What it serves to whom. Both sides share what is the same text.
    pub targeting: Arc<Targeting>,
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

/// What requires an approval of every change of targeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalReason {
    /// The target environment.
    Environment,
    /// The feature.
    Feature,
    /// The phase of the feature's release pipeline in the target environment.
    Phase,
}

/// Why a feature cannot be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CannotCopy {
    /// One change at a time waits for approval.
    PendingApproval,
}

impl fmt::Display for CannotCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PendingApproval => "A change is already pending approval in the target for this feature.",
        })
    }
}

/// Compares the project's environments of these keys, and shows the comparison.
///
/// # Errors
/// [`AppError::Invalid`] when one is not named, or both are the same; [`AppError::NotFound`] when there is no such one.
pub async fn read<Shown: Send + 'static>(
    app: &App,
    actor: &Actor,
    project: &str,
    (source, target): (Option<&str>, Option<&str>),
    show: impl FnOnce(Comparison) -> Shown + Send + 'static,
) -> Result<Shown> {
    let (source, target) = two(source, target)?;
    let read = {
        let mut snapshot = app.store.snapshot().await?;
        Read::of(&mut snapshot, actor, project, (source, target)).await?
    };
    // Thousands of rules take their time, and the threads that serve have others to serve.
    tokio::task::spawn_blocking(move || read.compare().map(show)).await.map_err(anyhow::Error::new)?
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
    targetings: Vec<UnreadTargetings>,
    audiences: Vec<Audience>,
    pipelines: Vec<Pipeline>,
    pending: HashSet<FeatureId>,
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
            pending: pending(connection, &target.id).await?,
            source,
            target,
        })
    }

    fn compare(self) -> Result<Comparison> {
        let Self { source, target, features, targetings, audiences, pipelines, pending } = self;
        let (usable_in_source, usable_in_target) = (usable(&audiences, &source.id), usable(&audiences, &target.id));
        let named = |key: &Key| {
            let audience = audiences.iter().find(|audience| audience.key == *key)?;
            Some(Named { key: audience.key.clone(), name: audience.name.clone() })
        };
        let unread = |environment: &Environment| {
            let found = targetings.iter().find(|unread| unread.environment_id == environment.id);
            found.map_or_else(|| Ok(HashMap::new()), UnreadTargetings::by_feature)
        };
        let (of_source, of_target) = (unread(&source)?, unread(&target)?);
        let mut rows = Vec::with_capacity(features.len());
        for feature in features.into_iter().filter(|feature| feature.lifecycle.is_evaluated()) {
            let id = feature.id.as_str();
            let [on_source, on_target] = both(of_source.get(id), of_target.get(id), &feature)?;
            let one = Side { targeting: &on_source.targeting, audiences: &usable_in_source };
            let other = Side { targeting: &on_target.targeting, audiences: &usable_in_target };
            let differences = compare(one, other);
            let inlined = copied_inline(one, other).iter().filter_map(named).collect();
            let pipeline = pipelines.iter().find(|pipeline| Some(&pipeline.id) == feature.pipeline_id.as_ref());
            rows.push(Row {
                source: on_source,
                target: on_target,
                differences,
                pipeline: pipeline.map(|pipeline| Named { key: pipeline.key.clone(), name: pipeline.name.clone() }),
                approval: approval(&target, &feature, pipeline),
                inlined,
                cannot_copy: pending.contains(&feature.id).then_some(CannotCopy::PendingApproval),
                feature,
            });
        }
        Ok(Comparison { source, target, rows })
    }
}

/// The features with a change that waits for approval in the target.
///
/// The place of the approvals: there is no table of them yet, so there are none. Nothing else has to change when there is.
async fn pending(_connection: &mut Connection, _target: &EnvironmentId) -> Result<HashSet<FeatureId>> {
    Ok(HashSet::new())
}

fn usable(audiences: &[Audience], environment: &EnvironmentId) -> HashMap<Key, Vec<Condition>> {
    let usable = audiences.iter().filter(|audience| audience.scope.covers(environment));
    usable.map(|audience| (audience.key.clone(), audience.conditions.clone())).collect()
}

/// The feature's targeting on both sides. The same text is read once: most features are the same on both.
fn both(
    source: Option<&UnreadTargeting<'_>>,
    target: Option<&UnreadTargeting<'_>>,
    feature: &Feature,
) -> Result<[Targeted; 2]> {
    let on_source = targeted(source, feature)?;
    let on_target = match (source, target) {
        (Some(source), Some(target)) if source.text == target.text => {
            Targeted { targeting: Arc::clone(&on_source.targeting), version: target.version }
        }
        (Some(_) | None, _) => targeted(target, feature)?,
    };
    Ok([on_source, on_target])
}

/// The feature's targeting on a side; that of a new feature where nobody has targeted it yet.
fn targeted(unread: Option<&UnreadTargeting<'_>>, feature: &Feature) -> Result<Targeted> {
    let (targeting, version) = match unread {
        Some(unread) => (unread.read()?, unread.version),
        None => (initial(feature), 0),
    };
    Ok(Targeted { targeting: Arc::new(targeting), version })
}

/// Which gates hold a change of the feature's targeting in the environment.
fn approval(target: &Environment, feature: &Feature, pipeline: Option<&Pipeline>) -> Vec<ApprovalReason> {
    let mut phases = pipeline.into_iter().flat_map(|pipeline| &pipeline.phases);
    let phase = phases.any(|phase| phase.environment_id == target.id && phase.approval_required);
    let gates = [
        (target.approval_required, ApprovalReason::Environment),
        (feature.approval_required, ApprovalReason::Feature),
        (phase, ApprovalReason::Phase),
    ];
    gates.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
}
