//! New features: created switched off everywhere, or imported as another service had them.

use std::collections::BTreeMap;

use flagservice_core::{Key, variant};
use flagservice_rules::Targeting;

use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::changes::revision;
use crate::app::changes::targeting::initial;
use crate::app::changes::violations::{Written, violations};
use crate::app::features::{FeatureDetails, checked_tags, checked_type, checked_variants, describe, found_owner};
use crate::app::resources::{phases, pipelines, projects};
use crate::app::{AppError, Description, Name, Operation, Result, Salt, Tag, pointer};
use crate::domain::feature::{Feature, Lifecycle, ValueType};
use crate::domain::ids::{EnvironmentId, FeatureId};
use crate::domain::pipeline::Pipeline;
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::resources::{environments, features};

/// The salt of a feature that has not been given another.
const DEFAULT_SALT: &str = flagservice_rules::bucket::DEFAULT_SALT;

/// What a new feature is made of.
pub struct NewFeature {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// What it is for.
    pub description: Description,
    /// At least two; `on` and `off` when none are given.
    pub variants: Option<Vec<Key>>,
    /// That of the variants if none is given.
    pub value_type: Option<ValueType>,
    /// Words by which people find it.
    pub tags: Vec<Tag>,
    /// The id of the person who looks after it.
    pub owner: Option<String>,
    /// Draft or Active.
    pub lifecycle: Lifecycle,
    /// Whether every change of its targeting is held for approval.
    pub approval_required: bool,
    /// The release pipeline to assign it to.
    pub pipeline: Option<Key>,
}

/// What a feature of another service is made of.
pub struct ImportedFeature {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// What it is for.
    pub description: Description,
    /// Draft, Active or Archived.
    pub lifecycle: Lifecycle,
    /// Keeps users in the buckets that they were in.
    pub salt: Salt,
    /// At least two.
    pub variants: Vec<Key>,
    /// That of the variants if none is given.
    pub value_type: Option<ValueType>,
    /// Words by which people find it.
    pub tags: Vec<Tag>,
    /// Whether every change of its targeting is held for approval.
    pub approval_required: bool,
    /// The release pipeline that it is assigned to.
    pub pipeline: Option<Key>,
    /// The environment of the pipeline's phase that it is in; the first phase where there is none.
    pub phase_environment: Option<Key>,
    /// By the key of the environment; off where there is none.
    pub targetings: BTreeMap<Key, Targeting>,
}

/// Creates a feature, switched off in every environment.
///
/// # Errors
/// [`AppError::Exists`] for a key that is taken, [`AppError::Invalid`] for unusable variants.
pub async fn create(operation: &mut Operation<'_>, project: &str, new: NewFeature) -> Result<FeatureDetails> {
    let variants = match new.variants {
        Some(variants) => checked_variants(&[], variants)?,
        None => default_variants()?,
    };
    if new.lifecycle == Lifecycle::Archived {
        return Err(AppError::invalid("/lifecycle", "A new feature is Draft or Active. Archive it later."));
    }
    let facts = Facts {
        key: new.key,
        name: new.name,
        description: new.description,
        lifecycle: new.lifecycle,
        salt: DEFAULT_SALT.to_owned(),
        value_type: new.value_type,
        variants,
        tags: new.tags,
        owner: new.owner,
        approval_required: new.approval_required,
        pipeline: new.pipeline,
        phase_environment: None,
    };
    let (project, feature) = placed(operation, project, facts).await?;
    let connection = operation.write.connection().await?;
    let targetings = environments::list(connection, &project.id)
        .await?
        .into_iter()
        .map(|environment| TargetingChange::new(environment, initial(&feature)))
        .collect();
    let plan = Plan::creation(project, feature, targetings);
    submit(operation, &plan, ApprovalMode::Unsupported).await?;
    describe(operation.write.connection().await?, plan.after).await
}

/// Creates a feature as another service had it: in any status, with its salt, and targeted from the beginning.
///
/// # Errors
/// [`AppError::Invalid`] points at all that is wrong with its variants and targetings.
pub async fn import(operation: &mut Operation<'_>, project: &str, new: ImportedFeature) -> Result<Feature> {
    let variants = checked_variants(&[], new.variants)?;
    let facts = Facts {
        key: new.key,
        name: new.name,
        description: new.description,
        lifecycle: new.lifecycle,
        salt: new.salt.into(),
        value_type: new.value_type,
        variants,
        tags: new.tags,
        // People of another service are not those of this one.
        owner: None,
        approval_required: new.approval_required,
        pipeline: new.pipeline,
        phase_environment: new.phase_environment,
    };
    let (project, feature) = placed(operation, project, facts).await?;
    let connection = operation.write.connection().await?;
    let (mut changes, mut found_wrong) = (Vec::new(), Vec::new());
    for environment in environments::list(connection, &project.id).await? {
        let targeting = match new.targetings.get(&environment.key) {
            None => initial(&feature),
            Some(targeting) => {
                let place = pointer::under("/targetings", &environment.key);
                let (feature, environment) = (&feature, &environment);
                let written = Written { feature, environment, before: None, after: targeting };
                let found = violations(connection, operation.app, written).await?;
                found_wrong.extend(found.into_iter().map(|violation| pointer::violation_under(&place, violation)));
                targeting.clone()
            }
        };
        changes.push(TargetingChange::new(environment, targeting));
    }
    if !found_wrong.is_empty() {
        return Err(AppError::Invalid(found_wrong));
    }
    let plan = Plan::creation(project, feature, changes);
    submit(operation, &plan, ApprovalMode::Imported).await?;
    Ok(plan.after)
}

/// What is said of a feature that is to be made.
struct Facts {
    key: Key,
    name: Name,
    description: Description,
    lifecycle: Lifecycle,
    salt: String,
    variants: Vec<Key>,
    value_type: Option<ValueType>,
    tags: Vec<Tag>,
    owner: Option<String>,
    approval_required: bool,
    pipeline: Option<Key>,
    phase_environment: Option<Key>,
}

/// A new feature in its project, which has none of that key.
async fn placed(operation: &mut Operation<'_>, project: &str, facts: Facts) -> Result<(Project, Feature)> {
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    if features::find(connection, &project.id, facts.key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "feature", key: facts.key.to_string() });
    }
    let pipeline = match &facts.pipeline {
        None => None,
        Some(key) => Some(pipelines::referred(connection, &project, key).await?),
    };
    let phase_environment_id = match &facts.phase_environment {
        None => pipeline.as_ref().and_then(phases::first),
        Some(key) => Some(phase_in(connection, &project, pipeline.as_ref(), key).await?),
    };
    let now = operation.app.now();
    let feature = Feature {
        id: FeatureId::new(&*operation.app.random, now),
        project_id: project.id.clone(),
        key: facts.key,
        name: facts.name.into(),
        description: facts.description.into(),
        lifecycle: facts.lifecycle,
        salt: facts.salt,
        value_type: checked_type(facts.value_type.unwrap_or(ValueType::of(&facts.variants)), &facts.variants)?,
        variants: facts.variants,
        tags: checked_tags(&[], facts.tags)?,
        owner_id: found_owner(connection, &operation.actor.organisation_id, facts.owner).await?,
        approval_required: facts.approval_required,
        pipeline_id: pipeline.map(|pipeline| pipeline.id),
        phase_environment_id,
        revision: revision::first(now),
    };
    Ok((project, feature))
}

/// The environment of that key, if the pipeline has a phase in it.
async fn phase_in(
    connection: &mut Connection,
    project: &Project,
    pipeline: Option<&Pipeline>,
    key: &Key,
) -> Result<EnvironmentId> {
    let environment = environments::find(connection, &project.id, key.as_str()).await?;
    let mut phases = pipeline.iter().flat_map(|pipeline| &pipeline.phases);
    let phase =
        phases.find(|phase| environment.as_ref().is_some_and(|environment| environment.id == phase.environment_id));
    phase.map(|phase| phase.environment_id.clone()).ok_or_else(|| {
        AppError::invalid("/phaseEnvironmentKey", format!("The feature's pipeline has no phase in '{key}'."))
    })
}

fn default_variants() -> Result<Vec<Key>> {
    let keys = [variant::ON, variant::OFF].map(Key::parse);
    keys.into_iter().collect::<std::result::Result<_, _>>().map_err(|error| AppError::Internal(error.into()))
}
