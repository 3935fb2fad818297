//! The outcome of a copy for each feature.

use std::fmt;

use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use crate::domain::approval::Reason;
use crate::domain::ids::ApprovalId;

/// The result for one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Copied {
    /// The key that was asked for.
    pub feature: String,
    /// The outcome.
    pub outcome: CopyOutcome,
    /// The audiences whose conditions stand inline in what was copied.
    pub inlined: Vec<Key>,
    /// If it was applied, or would be: the version of the targeting that the copy replaces. Earlier releases store none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<u64>,
}

impl Copied {
    pub(super) fn skipped(feature: &str, reason: SkipReason) -> Self {
        Self { feature: feature.to_owned(), outcome: CopyOutcome::Skipped(reason), inlined: Vec::new(), replaced: None }
    }

    /// `replaced` is the version that the target has before it.
    pub(super) fn new(feature: &str, outcome: CopyOutcome, inlined: Vec<Key>, replaced: u64) -> Self {
        let is_applied = matches!(outcome, CopyOutcome::Applied(_));
        Self { feature: feature.to_owned(), outcome, inlined, replaced: is_applied.then_some(replaced) }
    }

    /// The approval that the copy requested.
    pub(super) fn approval(&self) -> Option<&ApprovalId> {
        match &self.outcome {
            CopyOutcome::PendingApproval(approval, _) | CopyOutcome::Scheduled(approval) => approval.as_ref(),
            CopyOutcome::Applied(_) | CopyOutcome::Skipped(_) => None,
        }
    }

    /// Whether the copy made a change, or one that waits.
    pub(super) fn is_made(&self) -> bool {
        match self.outcome {
            CopyOutcome::Applied(_) | CopyOutcome::PendingApproval(..) | CopyOutcome::Scheduled(_) => true,
            CopyOutcome::Skipped(_) => false,
        }
    }

    /// The version of the target's targeting, if the copy made one.
    pub(super) fn version(&self) -> Option<u64> {
        match self.outcome {
            CopyOutcome::Applied(version) => version,
            CopyOutcome::PendingApproval(..) | CopyOutcome::Scheduled(_) | CopyOutcome::Skipped(_) => None,
        }
    }
}

/// The outcomes of the specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CopyOutcome {
    /// The target has it; its targeting is at this version. A dry run has none.
    Applied(Option<u64>),
    /// It waits for this approval, for these reasons; nothing has changed. A dry run asks for none.
    PendingApproval(Option<ApprovalId>, Vec<Reason>),
    /// It waits for its time, as this change; nothing has changed. A dry run schedules none.
    Scheduled(Option<ApprovalId>),
    /// It was left as it is.
    Skipped(SkipReason),
}

/// Why a feature was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SkipReason {
    /// There is no such feature.
    UnknownFeature,
    /// The feature is archived.
    Archived,
    /// A change of the target's targeting waits for approval: this one.
    PendingApproval(ApprovalId),
    /// Another change of the target's targeting is scheduled for that time or a later one.
    ScheduledLater,
    /// The target's targeting is at this version, and not at the one that the caller saw.
    TargetChanged(u64),
    /// The source's targeting is at this version, and not at the one that the caller saw.
    SourceChanged(u64),
    /// The selected settings are the same on both sides.
    Identical,
    /// A rule of the source names this audience, which the source does not have.
    UnknownAudience(Key),
    /// The target may not have this targeting; what is wrong with it.
    Invalid(String),
    /// The permission was lost after other features were copied; what is missing.
    NotPermitted(String),
}

impl SkipReason {
    /// Stable: programs tell reasons apart by it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownFeature => "unknownFeature",
            Self::Archived => "archived",
            Self::PendingApproval(_) => "pendingApproval",
            Self::ScheduledLater => "scheduledLater",
            Self::TargetChanged(_) => "targetChanged",
            Self::SourceChanged(_) => "sourceChanged",
            Self::Identical => "identical",
            Self::UnknownAudience(_) => "unknownAudience",
            Self::Invalid(_) => "invalid",
            Self::NotPermitted(_) => "notPermitted",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFeature => f.write_str("There is no such feature in the project."),
            Self::Archived => f.write_str("The feature is archived."),
            Self::PendingApproval(_) => {
                f.write_str("A change is already pending approval in the target for this feature.")
            }
            Self::ScheduledLater => f.write_str(
                "A change of the target's targeting is scheduled for that time or later. Cancel it, or choose a later time.",
            ),
            Self::TargetChanged(version) => write!(
                f,
                "The target's targeting changed since you saw it and is at version {version} now. Compare again, then decide."
            ),
            Self::SourceChanged(version) => write!(
                f,
                "The source's targeting changed since you saw it and is at version {version} now. Compare again, then decide."
            ),
            Self::Identical => f.write_str("Source and target are identical in the selected settings."),
            Self::UnknownAudience(key) => write!(
                f,
                "A rule of the source uses the audience '{key}', which does not exist. Fix the rule, then copy again."
            ),
            Self::Invalid(detail) => write!(f, "The target cannot have this targeting: {detail}"),
            Self::NotPermitted(detail) => write!(f, "The permission was lost while the copy was running: {detail}"),
        }
    }
}
