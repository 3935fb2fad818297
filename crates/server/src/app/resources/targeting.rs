//! Targeting of one feature in one environment: read, replaced, or changed in part.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::{Condition, Instant, Patterns, Rule, RuleAudience, ServedSummary, Targeting};

use crate::app::changes::change::{ApprovalMode, EditResult, Submitted, submit};
use crate::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use crate::app::changes::schedule::given_up::give_up_all;
use crate::app::changes::violations::{Written, violations};
use crate::app::changes::{gate, patterns, revision, schedule, served, targeting, usable_audiences};
use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Comment, Edit, Need, Operation, Remark, Result, TargetingRef};
use crate::domain::approval::Staleness;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::project::Project;
use crate::domain::targeting::StoredTargeting;
use crate::store::Connection;

/// What is to change of a targeting; nothing where there is none.
#[derive(Default)]
pub struct TargetingEdit {
    /// On or off.
    pub enabled: Option<bool>,
    /// Served while off, and when no rule matches.
    pub off_variant: Option<Key>,
    /// All the rules.
    pub rules: Option<Vec<Rule>>,
    /// What its author says of it.
    pub comment: Option<Comment>,
    /// When the change is to be made; none: now.
    pub scheduled_for: Option<Instant>,
}

impl From<Targeting> for TargetingEdit {
    fn from(whole: Targeting) -> Self {
        Self {
            enabled: Some(whole.enabled),
            off_variant: Some(whole.off_variant),
            rules: Some(whole.rules),
            comment: None,
            scheduled_for: None,
        }
    }
}

/// A feature's targeting in an environment, and what users get there.
pub struct TargetingDetails {
    /// The targeting, with its version.
    pub stored: StoredTargeting,
    /// What users get, in short.
    pub served: ServedSummary,
}

/// The feature's targeting in the environment.
///
/// # Errors
/// [`AppError::NotFound`] names the missing resource.
pub async fn read(
    app: &App,
    actor: &Actor,
    TargetingRef { project, feature, environment }: TargetingRef<'_>,
) -> Result<TargetingDetails> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let TargetedFeature { feature, environment, stored } = find(connection, &project, feature, environment).await?;
    describe(connection, &project, &environment, &feature, stored).await
}

async fn describe(
    connection: &mut Connection,
    project: &Project,
    environment: &Environment,
    feature: &Feature,
    stored: StoredTargeting,
) -> Result<TargetingDetails> {
    let rules = [stored.targeting.rules.as_slice()];
    let usable = usable_audiences::of(connection, &project.id, &environment.id, &rules).await?;
    let served = served::summary(feature.lifecycle, &stored, &usable);
    Ok(TargetingDetails { stored, served })
}

/// Compiles the patterns of an edit before its transaction, for as long as the result lives. Nothing is read for an edit that
/// cannot need it, such as one that switches a feature off.
///
/// # Errors
/// [`AppError::NotFound`] names the missing resource.
pub async fn compile_ahead(
    app: &App,
    actor: &Actor,
    TargetingRef { project, feature, environment }: TargetingRef<'_>,
    fields: &TargetingEdit,
) -> Result<Patterns> {
    let uses_audience = |rule: &Rule| matches!(rule.audience, RuleAudience::Saved(_));
    match (&fields.rules, fields.enabled) {
        (Some(rules), _) if !rules.iter().any(uses_audience) => {
            let none = HashMap::<Key, Vec<Condition>>::new();
            patterns::ahead_of_conditions(app, rules.iter().flat_map(|rule| rule.conditions(&none))).await
        }
        (Some(rules), _) => {
            let usable = {
                let connection = &mut *app.store.read_control().await?;
                let project = projects::find(connection, actor, project).await?;
                let environment = environments::find(connection, &project, environment).await?;
                usable_audiences::of(connection, &project.id, &environment.id, &[rules.as_slice()]).await?
            };
            patterns::ahead_of_conditions(app, rules.iter().flat_map(|rule| rule.conditions(&usable))).await
        }
        (None, Some(true)) => {
            let texts = {
                let connection = &mut *app.store.read_control().await?;
                let project = projects::find(connection, actor, project).await?;
                let TargetedFeature { environment, stored, .. } =
                    find(connection, &project, feature, environment).await?;
                let rules = [stored.targeting.rules.as_slice()];
                let usable = usable_audiences::of(connection, &project.id, &environment.id, &rules).await?;
                patterns::texts(stored.targeting.conditions(&usable))
            };
            patterns::ahead_of_stored(app, texts).await
        }
        (None, Some(false) | None) => Ok(Patterns::default()),
    }
}

/// Changes the targeting now or at its time, or requests an approval for the edit. With `if_match`, a targeting that changed
/// since the caller read it is not overwritten.
///
/// # Errors
/// [`AppError::Invalid`] points at what is wrong with the targeting, [`AppError::Stale`] when it changed since, and whatever
/// the gate says.
pub async fn update(
    operation: &mut Operation<'_>,
    TargetingRef { project, feature, environment }: TargetingRef<'_>,
    Edit { fields, if_match }: Edit<TargetingEdit>,
) -> Result<EditResult<TargetingDetails>> {
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let TargetedFeature { feature, environment, stored } = find(connection, &project, feature, environment).await?;
    revision::check(if_match, stored.version)?;
    let before = match fields.scheduled_for {
        None => stored.targeting.clone(),
        Some(at) => {
            schedule::check_time(connection, operation.app, (&environment.id, &feature), at).await?;
            schedule::base(connection, &environment.id, &feature, at).await?
        }
    };
    // An edit that names the variant which is not served yet accepts it. Switching the feature off is no decision to serve it.
    let accepts = fields.off_variant.is_some() && !stored.is_served() && before == stored.targeting;
    let after = Targeting {
        enabled: fields.enabled.unwrap_or(before.enabled),
        off_variant: fields.off_variant.unwrap_or_else(|| before.off_variant.clone()),
        rules: fields.rules.unwrap_or_else(|| before.rules.clone()),
    };
    if after == before && !accepts {
        // Also at a time to come: until then, what is there now stays in force.
        return Ok(EditResult::Applied(describe(connection, &project, &environment, &feature, stored).await?));
    }
    let change = TargetingChange::requested(environment.clone(), before.clone(), after.clone());
    let plan = Plan::targeting(project, feature, change);
    // The right to make the change comes before the work of validating it.
    gate::authorize(connection, operation.actor, &plan).await?;
    let written = Written { feature: &plan.after, environment: &environment, before: Some(&before), after: &after };
    let errors = violations(connection, operation.app, written).await?;
    if !errors.is_empty() {
        return Err(AppError::Invalid(errors));
    }
    let comment = fields.comment.map(String::from).unwrap_or_default();
    let note = ChangeNote { scheduled_for: fields.scheduled_for, ..ChangeNote::edit(comment) };
    let versions = match submit(operation, &plan, ApprovalMode::Requestable(note)).await? {
        Submitted::Applied(versions) => versions,
        Submitted::PendingApproval(approval) => return Ok(EditResult::PendingApproval(approval)),
    };
    let version = versions.first().copied().unwrap_or_default();
    let stored = StoredTargeting { feature_id: plan.after.id.clone(), targeting: after, version };
    let connection = operation.write.connection().await?;
    Ok(EditResult::Applied(describe(connection, &plan.project, &environment, &plan.after, stored).await?))
}

/// Switches targeting off at once, also where an approval is required or pending. The reason is in the audit log and in the
/// annotation. Nothing that waits for an approval or for its time switches it on again, also if it was off already.
///
/// # Errors
/// [`AppError::Forbidden`] for all but production editors and administrators.
pub async fn break_glass(
    operation: &mut Operation<'_>,
    TargetingRef { project, feature, environment }: TargetingRef<'_>,
    reason: Remark,
) -> Result<TargetingDetails> {
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let TargetedFeature { feature, environment, stored } = find(connection, &project, feature, environment).await?;
    operation.actor.require_in_scope(Need::ChangeEnvironment(project.key.as_str(), environment.key.as_str()))?;
    let after = Targeting { enabled: false, ..stored.targeting.clone() };
    let change = TargetingChange::edit(environment.clone(), stored.targeting, after.clone());
    let plan = Plan::break_glass(project, feature, change, reason.into());
    let version = match submit(operation, &plan, ApprovalMode::BreakGlass).await? {
        Submitted::Applied(versions) => versions.first().copied().unwrap_or(stored.version),
        Submitted::PendingApproval(_) => stored.version,
    };
    let staleness = Staleness::Invalid { detail: "break-glass has switched the targeting off".to_owned() };
    give_up_all(operation, &plan.project, (&environment.id, &plan.after.id), &staleness).await?;
    let stored = StoredTargeting { feature_id: stored.feature_id, targeting: after, version };
    let connection = operation.write.connection().await?;
    describe(connection, &plan.project, &environment, &plan.after, stored).await
}

/// A feature with its targeting in an environment.
pub(super) struct TargetedFeature {
    pub(super) feature: Feature,
    pub(super) environment: Environment,
    pub(super) stored: StoredTargeting,
}

pub(super) async fn find(
    connection: &mut Connection,
    project: &Project,
    feature: &str,
    environment: &str,
) -> Result<TargetedFeature> {
    let environment = environments::find(connection, project, environment).await?;
    let feature = lookup::find(connection, project, feature).await?;
    let stored = targeting::current(connection, &environment.id, &feature).await?;
    Ok(TargetedFeature { feature, environment, stored })
}
