//! Targeting of one feature in one environment: read, replaced, or changed in part.

use flagservice_core::Key;
use flagservice_rules::{Rule, Targeting};

use crate::app::changes::change::{ApprovalMode, Submitted, submit};
use crate::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use crate::app::changes::revision;
use crate::app::changes::targeting;
use crate::app::changes::violations::violations;
use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Comment, Operation, Result};
use crate::domain::approval::{Approval, Source};
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
}

/// The result of an edit.
pub enum EditResult {
    /// The targeting is as requested.
    Applied(StoredTargeting),
    /// An approval was requested; nothing has changed.
    PendingApproval(Box<Approval>),
}

impl From<Targeting> for TargetingEdit {
    fn from(whole: Targeting) -> Self {
        Self {
            enabled: Some(whole.enabled),
            off_variant: Some(whole.off_variant),
            rules: Some(whole.rules),
            comment: None,
        }
    }
}

/// The feature's targeting in the environment, with its version.
///
/// # Errors
/// [`AppError::NotFound`] names the missing resource.
pub async fn read(
    app: &App,
    actor: &Actor,
    project: &str,
    feature: &str,
    environment: &str,
) -> Result<StoredTargeting> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    Ok(find(connection, &project, feature, environment).await?.stored)
}

/// Changes the targeting, or requests an approval for the edit. With `seen`, the version that the caller read, a targeting
/// that changed since is not overwritten.
///
/// # Errors
/// [`AppError::Invalid`] points at what is wrong with the targeting, [`AppError::Stale`] when it changed since, and whatever
/// the gate says.
pub async fn update(
    operation: &mut Operation<'_>,
    (project, feature, environment): (&str, &str, &str),
    (edit, seen): (TargetingEdit, Option<u64>),
) -> Result<EditResult> {
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let found = find(connection, &project, feature, environment).await?;
    revision::check(seen, found.stored.version)?;
    let before = found.stored.targeting;
    let after = Targeting {
        enabled: edit.enabled.unwrap_or(before.enabled),
        off_variant: edit.off_variant.unwrap_or_else(|| before.off_variant.clone()),
        rules: edit.rules.unwrap_or_else(|| before.rules.clone()),
    };
    let errors = violations(connection, &found.feature, &found.environment, &after).await?;
    if !errors.is_empty() {
        return Err(AppError::Invalid(errors));
    }
    let feature_id = found.feature.id.clone();
    if after == before {
        return Ok(EditResult::Applied(StoredTargeting {
            feature_id,
            targeting: before,
            version: found.stored.version,
        }));
    }
    let plan = Plan {
        project,
        before: Some(found.feature.clone()),
        after: found.feature,
        targetings: vec![TargetingChange::edit(found.environment, before, after.clone())],
        action: "targeting.update",
    };
    let note = ChangeNote { source: Source::Edit, comment: edit.comment.map(String::from).unwrap_or_default() };
    Ok(match submit(operation, &plan, ApprovalMode::Requestable(note)).await? {
        Submitted::Applied(versions) => {
            let version = versions.first().copied().unwrap_or_default();
            EditResult::Applied(StoredTargeting { feature_id, targeting: after, version })
        }
        Submitted::PendingApproval(approval) => EditResult::PendingApproval(approval),
    })
}

/// A feature in an environment.
pub(super) struct Found {
    pub(super) feature: Feature,
    pub(super) environment: Environment,
    pub(super) stored: StoredTargeting,
}

pub(super) async fn find(
    connection: &mut Connection,
    project: &Project,
    feature: &str,
    environment: &str,
) -> Result<Found> {
    let environment = environments::find(connection, project, environment).await?;
    let feature = lookup::find(connection, project, feature).await?;
    let stored = targeting::current(connection, &environment.id, &feature).await?;
    Ok(Found { feature, environment, stored })
}
