//! Features of a project: created switched off everywhere, edited, moved through their lifecycle, deleted when archived.

mod list;
pub(in crate::app) mod lookup;
mod new;
mod next_phase;

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

use flagservice_core::Key;
use flagservice_rules::Patterns;
use flagservice_rules::limits::MAX_VARIANTS;

use crate::app::changes::change::{ApprovalMode, EditResult, Submitted, submit};
use crate::app::changes::plan::{ChangeNote, Plan};
use crate::app::changes::violations::check_room;
use crate::app::changes::{feature_removal, patterns, revision, targeting};
use crate::app::resources::{phases, pipelines, projects};
use crate::app::{Actor, App, AppError, Comment, Description, Edit, IfMatch, Name, Operation, Result, Tag};
use crate::domain::approval::RecordChange;
use crate::domain::feature::{Feature, Lifecycle, ValueType};
use crate::domain::ids::{OrganisationId, UserId};
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::domain::user::User;
use crate::store::Connection;
use crate::store::experiments::records;
use crate::store::resources::{environments, users};
pub use list::{FeatureQuery, InEnvironment, Listed, list};
pub use new::{ImportedFeature, NewFeature, create, import};
pub use next_phase::next_phase;

/// The most tags of a feature. One that an earlier release stored with more keeps them, or has fewer.
const MAX_TAGS: usize = 50;

/// What is to change of a feature; nothing where there is none.
#[derive(Default)]
pub struct FeatureEdit {
    /// Another name.
    pub name: Option<Name>,
    /// Another description.
    pub description: Option<Description>,
    /// Other variants; those in use must stay.
    pub variants: Option<Vec<Key>>,
    /// Another type. Without it, a boolean feature with variants besides on and off becomes a string.
    pub value_type: Option<ValueType>,
    /// Other tags.
    pub tags: Option<Vec<Tag>>,
    /// Another owner, by id, or none.
    pub owner: Option<Option<String>>,
    /// Another status.
    pub lifecycle: Option<Lifecycle>,
    /// Whether every change of its targeting is held for approval.
    pub approval_required: Option<bool>,
    /// Another release pipeline, or none.
    pub pipeline: Option<Option<Key>>,
    /// A message for approvers and the audit log.
    pub comment: Option<Comment>,
}

/// A feature, with where it is in its pipeline.
pub struct FeatureDetails {
    /// The feature.
    pub feature: Feature,
    /// The person who looks after it.
    pub owner: Option<User>,
    /// The key of the release pipeline that it is assigned to.
    pub pipeline: Option<Key>,
    /// The phase that it is in.
    pub phase: Option<CurrentPhase>,
}

/// The phase of its pipeline that a feature is in.
pub struct CurrentPhase {
    /// For people.
    pub name: String,
    /// The key of its environment.
    pub environment: Key,
}

/// The project's feature of that key.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, key: &str) -> Result<FeatureDetails> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let feature = lookup::find(connection, &project, key).await?;
    describe(connection, feature).await
}

pub(super) async fn describe(connection: &mut Connection, feature: Feature) -> Result<FeatureDetails> {
    let pipeline = match &feature.pipeline_id {
        None => None,
        Some(id) => crate::store::resources::pipelines::get(connection, id).await?,
    };
    let phase = match pipeline.as_ref().and_then(|pipeline| phases::current(pipeline, &feature)) {
        None => None,
        Some(phase) => environments::get(connection, &phase.environment_id)
            .await?
            .map(|environment| CurrentPhase { name: phase.name.clone(), environment: environment.key }),
    };
    let owner = match &feature.owner_id {
        None => None,
        Some(id) => users::get(connection, id).await?,
    };
    Ok(FeatureDetails { feature, owner, pipeline: pipeline.map(|pipeline| pipeline.key), phase })
}

/// Compiles the patterns of an archived feature that is to be restored before the transaction, for as long as the result lives.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such feature.
pub async fn compile_ahead(
    app: &App,
    actor: &Actor,
    project: &str,
    key: &str,
    fields: &FeatureEdit,
) -> Result<Patterns> {
    if !fields.lifecycle.is_some_and(Lifecycle::is_evaluated) {
        return Ok(Patterns::default());
    }
    let texts = {
        let connection = &mut *app.store.read_control().await?;
        let project = projects::find(connection, actor, project).await?;
        let feature = lookup::find(connection, &project, key).await?;
        patterns::of_feature(connection, &project, &feature).await?
    };
    patterns::ahead_of_stored(app, texts).await
}

/// Changes a feature, or requests an approval for the change.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators who would take a requirement of approval away,
/// [`AppError::Stale`] when it changed since the caller saw it, [`AppError::InUse`] for a variant that is served somewhere, or the
/// control of a running experiment.
pub async fn update(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    Edit { fields, if_match }: Edit<FeatureEdit>,
) -> Result<EditResult<FeatureDetails>> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let before = lookup::find(connection, &project, key).await?;
    revision::check(if_match, before.revision)?;
    let mut after = before.clone();
    after.name = fields.name.map_or(after.name, String::from);
    after.description = fields.description.map_or(after.description, String::from);
    if let Some(tags) = fields.tags {
        after.tags = checked_tags(&before.tags, tags)?;
    }
    after.lifecycle = fields.lifecycle.unwrap_or(after.lifecycle);
    after.approval_required = fields.approval_required.unwrap_or(after.approval_required);
    if let Some(owner) = fields.owner {
        after.owner_id = found_owner(connection, &operation.actor.organisation_id, owner).await?;
    }
    if let Some(variants) = fields.variants {
        after.variants = checked_variants(&before.variants, variants)?;
        keep_variants_in_use(connection, &project, &after).await?;
    }
    let still_fits = if before.value_type.fits(&after.variants) { before.value_type } else { ValueType::String };
    after.value_type = checked_type(fields.value_type.unwrap_or(still_fits), &after.variants)?;
    let mut weakens_approval = before.approval_required && !after.approval_required;
    if let Some(key) = fields.pipeline {
        weakens_approval |= assign(connection, &project, key, &mut after).await?;
    }
    if weakens_approval && operation.actor.role < Role::Administrator {
        return Err(AppError::Forbidden(
            "Changes to this feature need an approval. Removing that requirement needs the administrator role. Ask an \
             administrator to do it.",
        ));
    }
    if after == before {
        return Ok(EditResult::Applied(describe(connection, before).await?));
    }
    after.revision += 1;
    let changes_pipeline = after.pipeline_id != before.pipeline_id;
    let plan = Plan::of_record(connection, project, RecordChange { before, after: Some(after) }).await?;
    check_room(connection, operation.app, &plan).await?;
    let note = ChangeNote::edit(fields.comment.map(String::from).unwrap_or_default());
    match submit(operation, &plan, ApprovalMode::Requestable(note)).await? {
        Submitted::Applied(_) => {
            Ok(EditResult::Applied(describe(operation.write.connection().await?, plan.after).await?))
        }
        Submitted::PendingApproval(_) if changes_pipeline => Err(AppError::invalid(
            "/pipelineKey",
            "The other changes need an approval. Change the pipeline in a request of its own.",
        )),
        Submitted::PendingApproval(approval) => Ok(EditResult::PendingApproval(approval)),
    }
}

/// The id of the person who is to look after a feature.
async fn found_owner(
    connection: &mut Connection,
    organisation: &OrganisationId,
    id: Option<String>,
) -> Result<Option<UserId>> {
    let Some(id) = id else { return Ok(None) };
    match users::find(connection, organisation, &id).await? {
        Some(user) => Ok(Some(user.id)),
        None => Err(AppError::invalid("/ownerId", format!("There is no person with the id '{id}'. List the users."))),
    }
}

/// Assigns the feature to the pipeline of that key, or to none; returns whether that removes a requirement of approval.
async fn assign(
    connection: &mut Connection,
    project: &Project,
    key: Option<Key>,
    feature: &mut Feature,
) -> Result<bool> {
    let pipeline = match key {
        None => None,
        Some(key) => Some(pipelines::referred(connection, project, &key).await?),
    };
    if pipeline.as_ref().map(|pipeline| &pipeline.id) == feature.pipeline_id.as_ref() {
        return Ok(false);
    }
    let left = match &feature.pipeline_id {
        None => None,
        Some(id) => crate::store::resources::pipelines::get(connection, id).await?,
    };
    let weakens_approval = phases::weakens_approval(left.as_ref(), pipeline.as_ref());
    feature.phase_environment_id = pipeline.as_ref().and_then(phases::first);
    feature.pipeline_id = pipeline.map(|pipeline| pipeline.id);
    Ok(weakens_approval)
}

/// Deletes an archived feature with its targeting, or requests an approval for that. It needs the rights and approvals of all
/// environments, because a new feature of the same key would begin without what protects this one.
///
/// # Errors
/// [`AppError::InUse`] for a feature that is not archived or has a running experiment, [`AppError::Stale`] when it changed since
/// the caller saw it.
pub async fn delete(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    if_match: IfMatch,
) -> Result<EditResult<()>> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let feature = lookup::find(connection, &project, key).await?;
    revision::check(if_match, feature.revision)?;
    if feature.lifecycle.is_evaluated() {
        let detail = format!("'{key}' is {}. Archive it first: clients may still ask for it.", feature.lifecycle);
        return Err(AppError::InUse(detail));
    }
    feature_removal::check(connection, &feature).await?;
    let plan = Plan::of_record(connection, project, RecordChange { before: feature, after: None }).await?;
    Ok(match submit(operation, &plan, ApprovalMode::Requestable(ChangeNote::edit(""))).await? {
        Submitted::Applied(_) => EditResult::Applied(()),
        Submitted::PendingApproval(approval) => EditResult::PendingApproval(approval),
    })
}

/// Refuses to take away a variant that a targeting serves, or that a guard of a running experiment would serve.
async fn keep_variants_in_use(connection: &mut Connection, project: &Project, after: &Feature) -> Result<()> {
    let kept: HashSet<_> = after.variants.iter().collect();
    for environment in environments::list(connection, &project.id).await? {
        let running = records::running_with_feature(connection, &environment.id, &after.id).await?;
        if let Some(running) = running.filter(|running| !kept.contains(&running.design.control)) {
            return Err(AppError::InUse(format!(
                "The variant '{}' is the control of the experiment '{}', which is running in '{}'. Stop the experiment first.",
                running.design.control, running.key, environment.key
            )));
        }
        let targeting = targeting::current(connection, &environment.id, after).await?.targeting;
        let splits = targeting.rules.iter().flat_map(|rule| &rule.splits).map(|split| &split.variant);
        for served in splits.chain([&targeting.off_variant]) {
            if !kept.contains(served) {
                let detail = format!(
                    "The variant '{served}' is served in '{}'. Change the targeting there first.",
                    environment.key
                );
                return Err(AppError::InUse(detail));
            }
        }
    }
    Ok(())
}

/// The tags of a feature that has `before`, none if it is new.
fn checked_tags(before: &[String], tags: Vec<Tag>) -> Result<Vec<String>> {
    let tags: Vec<_> = tags.into_iter().map(String::from).collect();
    if tags == before {
        return Ok(tags);
    }
    if tags.len() > MAX_TAGS.max(before.len()) {
        return Err(AppError::invalid("/tags", format!("A feature has at most {MAX_TAGS} tags. Leave some out.")));
    }
    refuse_repeated("/tags", "tag", &tags)?;
    Ok(tags)
}

/// Refuses a list in which something is listed twice, at the second place.
fn refuse_repeated<T: Eq + Hash + fmt::Display>(field: &str, what: &str, items: &[T]) -> Result<()> {
    let mut seen = HashSet::with_capacity(items.len());
    match items.iter().enumerate().find(|(_, item)| !seen.insert(*item)) {
        None => Ok(()),
        Some((index, twice)) => {
            let detail = format!("The {what} '{twice}' is listed twice; remove one.");
            Err(AppError::invalid(&format!("{field}/{index}"), detail))
        }
    }
}

fn checked_type(value_type: ValueType, variants: &[Key]) -> Result<ValueType> {
    if value_type.fits(variants) {
        return Ok(value_type);
    }
    Err(AppError::invalid("/type", "A boolean feature has the variants on and off only. Choose the type string."))
}

/// The variants of a feature that has `before`, none if it is new.
fn checked_variants(before: &[Key], variants: Vec<Key>) -> Result<Vec<Key>> {
    if variants.len() < 2 {
        return Err(AppError::invalid("/variants", "A feature needs at least two variants, or none for on and off."));
    }
    if variants.len() > MAX_VARIANTS.max(before.len()) {
        let detail = format!("A feature has at most {MAX_VARIANTS} variants. Leave some out.");
        return Err(AppError::invalid("/variants", detail));
    }
    refuse_repeated("/variants", "variant", &variants)?;
    Ok(variants)
}
