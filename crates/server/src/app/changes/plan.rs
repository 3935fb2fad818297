//! A planned change of one feature: its record before and after, and its targeting in each environment that learns of it.

use flagservice_rules::{Instant, Targeting};
use serde_json::{Value, json};

use crate::app::changes::targeting;
use crate::domain::approval::{Approval, RecordChange, Source};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::project::Project;
use crate::store::resources::environments;
use crate::store::{Connection, Result};

/// A planned change of one feature.
pub struct Plan {
    /// The feature's project.
    pub project: Project,
    /// The feature before the change; none for a new one.
    pub before: Option<Feature>,
    /// The feature after the change. For a deletion, the feature that is deleted.
    pub after: Feature,
    /// Whether the feature is deleted.
    pub deletes: bool,
    /// Every environment that learns of the change, with the targeting before and after.
    pub targetings: Vec<TargetingChange>,
    /// For a deletion, the feature's targeting in every environment, which nobody learns of.
    pub deleted: Vec<TargetingChange>,
    /// For the audit log, e.g. `targeting.update`.
    pub action: &'static str,
    /// Why it switches targeting off without the approval that it needs.
    pub break_glass: Option<String>,
}

impl Plan {
    /// A new feature, with its targeting in each environment.
    pub fn creation(project: Project, feature: Feature, targetings: Vec<TargetingChange>) -> Self {
        Self::new(project, None, feature, targetings, "feature.create")
    }

    /// A change of the feature's targeting in one environment.
    pub fn targeting(project: Project, feature: Feature, change: TargetingChange) -> Self {
        Self::new(project, Some(feature.clone()), feature, vec![change], "targeting.update")
    }

    /// A switch-off that does not wait for an approval, for this reason.
    pub fn break_glass(project: Project, feature: Feature, change: TargetingChange, reason: String) -> Self {
        let plan = Self::new(project, Some(feature.clone()), feature, vec![change], "targeting.break-glass");
        Self { break_glass: Some(reason), ..plan }
    }

    /// A change of the feature's record that no environment learns of.
    pub fn record(project: Project, before: Feature, after: Feature, action: &'static str) -> Self {
        Self::new(project, Some(before), after, Vec::new(), action)
    }

    fn new(
        project: Project,
        before: Option<Feature>,
        after: Feature,
        targetings: Vec<TargetingChange>,
        action: &'static str,
    ) -> Self {
        Self { project, before, after, deletes: false, targetings, deleted: Vec::new(), action, break_glass: None }
    }

    /// A change or deletion of the feature's record, of which all environments learn if its lifecycle status changes.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of_record(connection: &mut Connection, project: Project, change: RecordChange) -> Result<Self> {
        let RecordChange { before, after } = change;
        let deletes = after.is_none();
        let after = after.unwrap_or_else(|| before.clone());
        let mut targetings = Vec::new();
        if deletes || after.lifecycle != before.lifecycle {
            for environment in environments::list(connection, &project.id).await? {
                let targeting = targeting::current(connection, &environment.id, &before).await?.targeting;
                targetings.push(TargetingChange::edit(environment, targeting.clone(), targeting));
            }
        }
        if deletes {
            let plan = Self::new(project, Some(before), after, Vec::new(), "feature.delete");
            return Ok(Self { deletes, deleted: targetings, ..plan });
        }
        Ok(Self::new(project, Some(before), after, targetings, "feature.update"))
    }

    /// The change of the feature's record, if the plan has one.
    pub fn record_change(&self) -> Option<RecordChange> {
        let before = self.before.as_ref().filter(|before| self.deletes || **before != self.after)?.clone();
        Some(RecordChange { before, after: (!self.deletes).then(|| self.after.clone()) })
    }

    /// Whether someone edits a targeting.
    pub fn edits_targeting(&self) -> bool {
        self.targetings.iter().any(TargetingChange::is_edit)
    }

    /// The feature whose settings decide what requires an approval: as it is before the change.
    pub fn gated_feature(&self) -> &Feature {
        self.before.as_ref().unwrap_or(&self.after)
    }
}

/// What a requester adds to a change.
#[derive(Clone, Debug)]
pub struct ChangeNote {
    /// Where the change comes from.
    pub source: Source,
    /// For approvers and the audit log. May be empty.
    pub comment: String,
    /// When the change is to be made; none: now.
    pub scheduled_for: Option<Instant>,
}

impl ChangeNote {
    /// An edit with this comment.
    pub fn edit(comment: impl Into<String>) -> Self {
        Self { source: Source::Edit, comment: comment.into(), scheduled_for: None }
    }

    /// What the requester of an approval added to its change.
    pub(super) fn of(approval: &Approval) -> Self {
        let Approval { source, comment, scheduled_for, .. } = approval;
        Self { source: source.clone(), comment: comment.clone(), scheduled_for: *scheduled_for }
    }

    /// Its fields in the audit log.
    pub(super) fn audit_fields(&self) -> Vec<(&'static str, Value)> {
        let source = self.source.environment().map(|environment| ("copiedFrom", json!(environment)));
        let comment = Some(("comment", json!(self.comment))).filter(|_| !self.comment.is_empty());
        source.into_iter().chain(comment).collect()
    }
}

/// A feature's targeting in one environment, before and after.
pub struct TargetingChange {
    /// The environment.
    pub environment: Environment,
    /// The targeting before the change; none for a new feature.
    pub before: Option<Targeting>,
    /// The targeting after the change.
    pub after: Targeting,
    /// Whether the conditions of a saved audience that it uses change.
    pub audience_edited: bool,
    /// Whether somebody accepts the targeting as it is: it is served from then on, if it was not before.
    pub accepted: bool,
}

impl TargetingChange {
    /// The targeting of a new feature.
    pub fn new(environment: Environment, after: Targeting) -> Self {
        Self { environment, before: None, after, audience_edited: false, accepted: false }
    }

    /// Another targeting.
    pub fn edit(environment: Environment, before: Targeting, after: Targeting) -> Self {
        Self { environment, before: Some(before), after, audience_edited: false, accepted: false }
    }

    /// What somebody asks for: another targeting, or the same one, which is accepted.
    pub fn requested(environment: Environment, before: Targeting, after: Targeting) -> Self {
        let accepted = before == after;
        Self { accepted, ..Self::edit(environment, before, after) }
    }

    /// The same targeting, whose audience gets other conditions.
    pub fn through_audience(environment: Environment, targeting: Targeting) -> Self {
        Self { audience_edited: true, ..Self::edit(environment, targeting.clone(), targeting) }
    }

    /// Whether someone edits the targeting, which needs the right to do so in this environment, whatever its effect.
    pub fn is_edit(&self) -> bool {
        self.audience_edited || self.accepted || self.before.as_ref().is_some_and(|before| *before != self.after)
    }
}
