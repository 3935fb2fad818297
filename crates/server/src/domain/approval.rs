//! Changes that wait, or waited, for an approval or for their time.

use std::fmt;

use flagservice_core::Key;
use flagservice_rules::{Instant, Targeting};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::access_token::TokenRef;
use crate::domain::feature::Feature;
use crate::domain::ids::{ApprovalId, EnvironmentId, FeatureId, OrganisationId, ProjectId, UserId};

/// Where an approval stands. All but the first two are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalState {
    /// It waits for somebody to decide.
    Pending,
    /// Its change waits for its time: it was approved, or needs no approval.
    Scheduled,
    /// Its change was made: it was approved, or its time came.
    Approved,
    /// Somebody refused it.
    Rejected,
    /// It was taken back.
    Cancelled,
    /// What it was to change, or what it names, had changed before somebody approved it, or before its time.
    Stale,
}

impl ApprovalState {
    const ALL: [Self; 6] =
        [Self::Pending, Self::Scheduled, Self::Approved, Self::Rejected, Self::Cancelled, Self::Stale];

    /// The word for it in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Scheduled => "scheduled",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Stale => "stale",
        }
    }
}

impl fmt::Display for ApprovalState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for ApprovalState {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or_else(|| format!("unknown state '{text}'"))
    }
}

/// Where a change of targeting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Somebody edits the targeting.
    Edit,
    /// Somebody copies it from another environment.
    Copy(CopySource),
}

/// The copy that a change is part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopySource {
    /// The environment that is copied from.
    pub environment: Key,
    /// The first approval that the copy requested: all that one copy requests are decided together. None before the first, and
    /// for approvals of earlier releases.
    pub copy_id: Option<ApprovalId>,
}

impl Source {
    /// The word for it in the database and in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Copy(_) => "copy",
        }
    }

    /// The environment that is copied from.
    pub fn environment(&self) -> Option<&Key> {
        match self {
            Self::Edit => None,
            Self::Copy(CopySource { environment, .. }) => Some(environment),
        }
    }

    /// The first approval of the same copy.
    pub fn copy_id(&self) -> Option<&ApprovalId> {
        match self {
            Self::Edit => None,
            Self::Copy(CopySource { copy_id, .. }) => copy_id.as_ref(),
        }
    }

    /// The source of an approval with this id, which is the first of its copy unless the copy has one.
    pub fn requested_as(mut self, id: &ApprovalId) -> Self {
        if let Self::Copy(CopySource { copy_id, .. }) = &mut self {
            copy_id.get_or_insert_with(|| id.clone());
        }
        self
    }
}

/// What requires that somebody approves a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Reason {
    /// The environment that it is made in.
    Environment,
    /// The feature.
    Feature,
    /// A phase of the feature's release pipeline in that environment.
    Phase {
        /// The pipeline.
        pipeline_key: Key,
        /// What the pipeline is called.
        pipeline_name: String,
        /// What the phase is called.
        phase_name: String,
    },
}

/// A change of a feature's record that needs an approval, because environments would serve something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordChange {
    /// The record that the change was made for.
    pub before: Feature,
    /// The record after the change; none: the feature is deleted.
    pub after: Option<Feature>,
}

/// Why an approval can no longer be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "camelCase")]
pub enum Staleness {
    /// The targeting that the change was made for is another by now.
    TargetChanged {
        /// The version that the change was made for.
        asked: u64,
        /// The version that the targeting has.
        current: u64,
    },
    /// The targeting is not, or will not be, the one that a scheduled change was made for.
    BaseChanged {
        /// The time of a change before it that was not made; none: the targeting was changed outside the schedule.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        earlier: Option<Instant>,
    },
    /// Nobody approved it before the time at which it was to be made.
    NotInTime {
        /// That time.
        scheduled_for: Instant,
    },
    /// It was refused at its time; the text says why.
    NotPermitted {
        /// The reason.
        detail: String,
    },
    /// The feature, or its targeting in an environment, is not as it was when the change of its record was requested.
    FeatureChanged,
    /// A saved audience that one of the two targetings names has other conditions, or is gone.
    AudienceChanged,
    /// The feature is archived.
    FeatureArchived,
    /// The targeting that it wants breaks a rule by now; the text says which.
    Invalid {
        /// What is wrong.
        detail: String,
    },
}

impl fmt::Display for Staleness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TargetChanged { asked, current } => write!(
                f,
                "The targeting has changed since: the change was made for version {asked}, and it is at version {current}."
            ),
            Self::BaseChanged { earlier: None } => {
                f.write_str("The targeting is not the one that the change was made for.")
            }
            Self::BaseChanged { earlier: Some(at) } => {
                let at = Timestamp::from_millisecond(at.0).unwrap_or(Timestamp::MAX);
                write!(f, "The change builds on one that was scheduled for {at} and was not made.")
            }
            Self::NotInTime { .. } => f.write_str("Nobody approved the change before its time."),
            Self::NotPermitted { detail } => write!(f, "The change was refused at its time: {detail}"),
            Self::FeatureChanged => f.write_str("The feature or its targeting has changed since the request."),
            Self::AudienceChanged => f.write_str("A saved audience that the change names has other conditions by now."),
            Self::FeatureArchived => f.write_str("The feature is archived by now."),
            Self::Invalid { detail } => write!(f, "The change is invalid by now: {detail}."),
        }
    }
}

/// A person, by the name that they had then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The person.
    pub id: UserId,
    /// The name.
    pub name: String,
}

/// What somebody decided.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Who.
    pub by: Person,
    /// The token that the person used; none in decisions of earlier releases.
    pub token: Option<TokenRef>,
    /// When.
    pub at: Instant,
}

/// A change that waits, or waited, for an approval or for its time.
#[derive(Clone, Debug)]
pub struct Approval {
    /// Its id; later ones have greater ones.
    pub id: ApprovalId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// The feature whose targeting it changes.
    pub feature_id: FeatureId,
    /// The feature's key.
    pub feature_key: Key,
    /// The environment that it changes the targeting in. A change of the feature's record is filed under one of all that it concerns.
    pub environment_id: EnvironmentId,
    /// The environment's key.
    pub environment_key: Key,
    /// Where it stands.
    pub state: ApprovalState,
    /// Where the change comes from.
    pub source: Source,
    /// The requester.
    pub requester: Person,
    /// When.
    pub requested_at: Instant,
    /// What the requester said of it. May be empty.
    pub comment: String,
    /// What required it. Nothing for a change that only waits for its time.
    pub reasons: Vec<Reason>,
    /// When the change is to be made; none: as soon as it is approved.
    pub scheduled_for: Option<Instant>,
    /// The targeting that the change was made for.
    pub before: Targeting,
    /// The targeting that it wants. The same for a change of the feature's record.
    pub after: Targeting,
    /// The change of the feature's record; none for a change of targeting.
    pub record_change: Option<RecordChange>,
    /// The version of the targeting that the change was made for; the record's revision for a change of the record.
    pub target_version: u64,
    /// A digest of all that the approver sees: the targetings, the conditions of their audiences, the record.
    pub digest: String,
    /// The person and time of the decision; of a stale approval, those of the attempt to approve it.
    pub decision: Option<Decision>,
    /// Why it became stale.
    pub staleness: Option<Staleness>,
    /// When a scheduled change was made or given up.
    pub settled_at: Option<Instant>,
    /// Raised by each decision and comment.
    pub revision: u64,
}

/// Which approvals are asked for.
#[derive(Default)]
pub struct ApprovalFilter {
    /// Only those in this state.
    pub state: Option<ApprovalState>,
    /// Only of this feature.
    pub feature: Option<FeatureId>,
    /// Only of this environment. A change of a feature itself is one of all environments.
    pub environment: Option<EnvironmentId>,
}

/// An approval with the names of what it is about, for those who have not read its project.
pub struct NamedApproval {
    /// The approval.
    pub approval: Approval,
    /// The key of its project.
    pub project_key: Key,
    /// The name of its project.
    pub project_name: String,
    /// The name of its feature.
    pub feature_name: String,
    /// The name of its environment.
    pub environment_name: String,
    /// The name of the environment that the change copies from; its key if it has been deleted.
    pub source_environment_name: Option<String>,
    /// Whether the environment is a production environment; of a change of the feature itself, whether its project has one.
    pub production: bool,
}

/// The person whose decision pending approvals wait for.
pub struct Decider<'a> {
    /// The organisation.
    pub organisation: &'a OrganisationId,
    /// The person.
    pub person: &'a UserId,
    /// Whether the person may change production.
    pub production: bool,
}

/// What somebody said.
#[derive(Clone, Debug)]
pub struct ApprovalComment {
    /// Who.
    pub author: Person,
    /// When.
    pub at: Instant,
    /// What.
    pub text: String,
}
