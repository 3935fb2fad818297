//! What a change wants: one feature before and after, and its targeting in each environment that shall learn of it.

use flagservice_rules::Targeting;
use serde_json::{Value, json};

use crate::domain::approval::Source;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::project::Project;

/// What is to become of one feature.
pub struct Plan {
    /// The feature's project.
    pub project: Project,
    /// The feature as it is; none when it is new.
    pub before: Option<Feature>,
    /// The feature as it shall be.
    pub after: Feature,
    /// Every environment in which clients shall learn of it, with the targeting before and after.
    pub targetings: Vec<TargetingChange>,
    /// For the audit log, e.g. `targeting.update`.
    pub action: &'static str,
}

impl Plan {
    /// Whether the change takes the feature away from clients, or brings it back to them. A new one disturbs nobody.
    pub fn comes_or_goes(&self) -> bool {
        let evaluated = self.after.lifecycle.is_evaluated();
        self.before.as_ref().is_some_and(|before| before.lifecycle.is_evaluated() != evaluated)
    }
}

/// What a requester adds to a change of targeting.
#[derive(Clone, Debug)]
pub struct ChangeNote {
    /// Where the change comes from.
    pub source: Source,
    /// For approvers and the audit log. May be empty.
    pub comment: String,
}

impl ChangeNote {
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
    /// As it is; none when the feature is new.
    pub before: Option<Targeting>,
    /// As it shall be.
    pub after: Targeting,
    /// Whether a saved audience that it uses gets other conditions.
    pub audience_edited: bool,
}

impl TargetingChange {
    /// The targeting of a new feature.
    pub fn new(environment: Environment, after: Targeting) -> Self {
        Self { environment, before: None, after, audience_edited: false }
    }

    /// Another targeting.
    pub fn edit(environment: Environment, before: Targeting, after: Targeting) -> Self {
        Self { environment, before: Some(before), after, audience_edited: false }
    }

    /// The same targeting, whose audience gets other conditions.
    pub fn through_audience(environment: Environment, targeting: Targeting) -> Self {
        Self { environment, before: Some(targeting.clone()), after: targeting, audience_edited: true }
    }

    /// Whether somebody edits the targeting, which needs the right to do so in this environment.
    pub fn is_edit(&self) -> bool {
        self.audience_edited || self.before.as_ref().is_some_and(|before| *before != self.after)
    }
}
