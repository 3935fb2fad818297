//! The one error of the service: a public text, and a cause that stays private. It knows nothing of HTTP and of databases.

use std::fmt;

use flagservice_core::Key;
use flagservice_rules::Violation;

use crate::domain::approval::{ApprovalState, Staleness};
use crate::domain::ids::ApprovalId;

/// Result of what the application does.
pub type Result<T> = std::result::Result<T, AppError>;

/// Why a request failed. The caller can fix all but the last six.
#[derive(Debug)]
pub enum AppError {
    /// The caller showed no credentials, or none that count; the text says what to send.
    Unauthenticated(&'static str),
    /// The caller may not do this; the text says which right is missing.
    Forbidden(&'static str),
    /// The caller may not do this because of something else, which the text names.
    ForbiddenUse(String),
    /// No such resource, or one of another organisation.
    NotFound {
        /// What kind of thing it is, e.g. `feature`.
        what: &'static str,
        /// The key that was asked for.
        key: String,
    },
    /// The client key in the path is unknown or revoked.
    UnknownClientKey,
    /// This node does not know the key, but it may not have received it yet.
    NotReady,
    /// What was sent breaks a rule; each entry points at its place.
    Invalid(Vec<Violation>),
    /// What was sent refers to a resource that does not exist.
    UnknownReference {
        /// The place of the reference.
        pointer: String,
        /// What kind of thing it is.
        what: &'static str,
        /// The key or id that was sent.
        key: String,
    },
    /// A resource of that key is there already.
    Exists {
        /// What kind of thing it is.
        what: &'static str,
        /// The key that is taken.
        key: String,
    },
    /// The resource changed since the caller read it.
    Stale {
        /// The version of `If-Match`.
        expected: u64,
        /// The version that it has now.
        current: u64,
    },
    /// The resource is needed by others, which the text names.
    InUse(String),
    /// Another change of the same targeting waits for approval.
    PendingChange {
        /// The change that waits.
        approval: ApprovalId,
        /// The feature.
        feature: Key,
        /// The environment.
        environment: Key,
    },
    /// The change would need an approval, but it is of a kind that cannot wait for one.
    ApprovalRequired(String),
    /// Requesters cannot decide on their own change.
    OwnRequest,
    /// The approval was decided on before.
    Decided(ApprovalState),
    /// The approval can no longer be given.
    ApprovalStale(Staleness),
    /// The feature is archived, so nobody could approve the change.
    Archived(Key),
    /// The experiment is in another state than this needs, which the text names.
    ExperimentState(String),
    /// The feature is in no pipeline, in the last phase, or in another phase than the caller saw.
    NoSuchStep(String),
    /// A request with the same `Idempotency-Key` is under way.
    StillRunning,
    /// The database does not answer just now.
    Unavailable(anyhow::Error),
    /// The database answers, but did not get to this in time.
    Busy(anyhow::Error),
    /// More goals wait for the database than this node keeps.
    GoalQueueFull,
    /// There is no room for what was to be stored.
    StorageFull,
    /// The database may be read, not written.
    ReadOnlyStorage,
    /// Something stored is damaged, or of a release that this one does not understand.
    Unreadable(anyhow::Error),
    /// A bug or a fault of ours: the cause is logged and not shown to the caller.
    Internal(anyhow::Error),
}

impl AppError {
    /// An [`AppError::Invalid`] of one place.
    pub fn invalid(pointer: &str, detail: impl Into<String>) -> Self {
        Self::Invalid(vec![Violation { pointer: pointer.to_owned(), detail: detail.into() }])
    }

    /// An [`AppError::NotFound`].
    pub fn not_found(what: &'static str, key: impl fmt::Display) -> Self {
        Self::NotFound { what, key: key.to_string() }
    }

    /// The same error of a lookup by what was sent at this place. Nothing is missing at the path of the request.
    pub fn of_reference(self, pointer: impl Into<String>) -> Self {
        let Self::NotFound { what, key } = self else { return self };
        Self::UnknownReference { pointer: pointer.into(), what, key }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unauthenticated(detail) | Self::Forbidden(detail) => f.write_str(detail),
            Self::NotFound { what, key } => write!(f, "There is no {what} '{key}'."),
            Self::UnknownReference { what, key, .. } => {
                write!(f, "There is no {what} '{key}'. Send the key or id of one that exists.")
            }
            Self::UnknownClientKey => {
                f.write_str("The client key is unknown or revoked. Take a current key of the environment.")
            }
            Self::NotReady => f.write_str("This node may not have received this key yet. Try again a little later."),
            Self::Invalid(errors) => match errors.as_slice() {
                [only] => f.write_str(&only.detail),
                several => write!(f, "{} values are invalid; see errors.", several.len()),
            },
            Self::Exists { what, key } => write!(f, "There is a {what} '{key}' already. Choose another key."),
            Self::Stale { expected, current } => {
                write!(f, "You saw version {expected}, but it is at version {current} now. Read it again, then decide.")
            }
            Self::InUse(detail)
            | Self::ForbiddenUse(detail)
            | Self::ApprovalRequired(detail)
            | Self::ExperimentState(detail)
            | Self::NoSuchStep(detail) => f.write_str(detail),
            Self::PendingChange { approval, feature, environment } => write!(
                f,
                "A change of '{feature}' in '{environment}' waits for approval: {approval}. Approve, reject or cancel it first."
            ),
            Self::OwnRequest => {
                f.write_str("You asked for this change yourself. Somebody else decides on it; you can cancel it.")
            }
            Self::Decided(state) => decided(f, *state),
            Self::ApprovalStale(staleness) => {
                write!(f, "{staleness} Nothing was changed. Look at the targeting as it is, and ask again if the change is still wanted.")
            }
            Self::Archived(feature) => {
                write!(f, "'{feature}' is archived, and a change of it would wait for approval. Make it Draft or Active first.")
            }
            Self::StillRunning => {
                f.write_str("A request with this Idempotency-Key is still running. Send it again a little later.")
            }
            Self::Unavailable(_) => f.write_str("The database does not answer just now. Try again a little later."),
            Self::Busy(_) => f.write_str("The database is busy and did not get to this in time. Try again a little later."),
            Self::GoalQueueFull => {
                f.write_str("Too many goals wait to be stored, and these are not among them. Send them again a little later.")
            }
            Self::StorageFull => f.write_str(
                "The database has no room left, and nothing was changed. Ask the operator for room on its disk, then try again.",
            ),
            Self::ReadOnlyStorage => f.write_str(
                "The database cannot be written now, and nothing was changed. Ask the operator to make it writable, then try again.",
            ),
            Self::Unreadable(_) => f.write_str(
                "Something stored cannot be read, and nothing was changed. Ask the operator: 'flagservice-server check' says what it is.",
            ),
            Self::Internal(_) => f.write_str("The service failed. Try again; if it lasts, tell the operator."),
        }
    }
}

impl std::error::Error for AppError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Internal(cause) | Self::Unreadable(cause) | Self::Unavailable(cause) | Self::Busy(cause) => {
                Some(cause.as_ref())
            }
            Self::Unauthenticated(_)
            | Self::Forbidden(_)
            | Self::ForbiddenUse(_)
            | Self::NotFound { .. }
            | Self::UnknownClientKey
            | Self::NotReady
            | Self::Invalid(_)
            | Self::UnknownReference { .. }
            | Self::Exists { .. }
            | Self::Stale { .. }
            | Self::InUse(_)
            | Self::PendingChange { .. }
            | Self::ApprovalRequired(_)
            | Self::OwnRequest
            | Self::Decided(_)
            | Self::ApprovalStale(_)
            | Self::Archived(_)
            | Self::ExperimentState(_)
            | Self::NoSuchStep(_)
            | Self::StillRunning
            | Self::GoalQueueFull
            | Self::StorageFull
            | Self::ReadOnlyStorage => None,
        }
    }
}

impl From<anyhow::Error> for AppError {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(error)
    }
}

fn decided(f: &mut fmt::Formatter<'_>, state: ApprovalState) -> fmt::Result {
    match state {
        ApprovalState::Scheduled => {
            f.write_str("This change waits for its time. Its requester or an administrator can cancel it.")
        }
        ApprovalState::Pending
        | ApprovalState::Approved
        | ApprovalState::Rejected
        | ApprovalState::Cancelled
        | ApprovalState::Stale => {
            write!(f, "This approval is {state} already. Ask for the change again if it is still wanted.")
        }
    }
}
