//! How long data is kept and credentials are valid, and what a restore brings back.

pub mod credential;
pub mod periods;

use std::time::Duration;

use flagservice_rules::Instant;

use crate::domain::insights;
use crate::domain::retention::periods::{DAY, HOUR};

/// The operator's settings. `None` is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Entries of the audit log.
    pub audit_log: Option<Duration>,
    /// Entries of the outbox that every cursor has passed.
    pub outbox: Option<Duration>,
    /// Goals, from when they were received, and participants of experiments, from when these were stopped.
    pub goals: Option<Duration>,
    /// Deliveries, from when they were delivered or failed.
    pub deliveries: Option<Duration>,
    /// Approvals, from the decision.
    pub approvals: Option<Duration>,
    /// How long a session of the administration pages lasts.
    pub session: Duration,
    /// How long a personal access token is valid whose expiry nobody named.
    pub access_token: Option<Duration>,
    /// How long a data key encrypts, until another one takes its place.
    pub data_key: Option<Duration>,
    /// How long a request with an `Idempotency-Key` gets the same answer.
    pub idempotency: Duration,
}

// The organisation's own record of who changed and approved what ends only if the operator says so.
impl Default for Retention {
    fn default() -> Self {
        Self {
            audit_log: None,
            outbox: Some(7 * DAY),
            goals: Some(90 * DAY),
            deliveries: Some(30 * DAY),
            approvals: None,
            session: Duration::from_hours(12),
            access_token: Some(365 * DAY),
            data_key: Some(90 * DAY),
            idempotency: Duration::from_hours(24),
        }
    }
}

/// A kind of rows that a sweep removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweptKind {
    /// Entries of the audit log.
    AuditLog,
    /// Entries of the outbox.
    Outbox,
    /// Goals.
    Goals,
    /// The keys of goals.
    GoalKeys,
    /// Participants of experiments that were stopped or deleted.
    Participants,
    /// What such participants reached.
    Conversions,
    /// Settled deliveries.
    Deliveries,
    /// Decided approvals, with their comments.
    Approvals,
    /// Sessions that have ended.
    Sessions,
    /// Set-up links that have expired.
    SetupLinks,
    /// Personal access tokens that were revoked.
    AccessTokens,
    /// Client keys and server keys that were revoked.
    SdkKeys,
    /// Edge keys that were revoked.
    EdgeKeys,
    /// Answers to requests with an `Idempotency-Key`.
    IdempotencyAnswers,
    /// Evaluations by hour.
    EvaluationHours,
    /// Evaluations by day.
    EvaluationDays,
    /// The ids of summaries of evaluations.
    EvaluationSummaries,
}

impl SweptKind {
    /// All kinds.
    pub const ALL: [Self; 17] = [
        Self::AuditLog,
        Self::Outbox,
        Self::Goals,
        Self::GoalKeys,
        Self::Participants,
        Self::Conversions,
        Self::Deliveries,
        Self::Approvals,
        Self::Sessions,
        Self::SetupLinks,
        Self::AccessTokens,
        Self::SdkKeys,
        Self::EdgeKeys,
        Self::IdempotencyAnswers,
        Self::EvaluationHours,
        Self::EvaluationDays,
        Self::EvaluationSummaries,
    ];

    /// The name in metrics and logs, which is that of its table.
    pub fn name(self) -> &'static str {
        match self {
            Self::AuditLog => "audit_log",
            Self::Outbox => "outbox",
            Self::Goals => "goals",
            Self::GoalKeys => "goal_keys",
            Self::Participants => "participants",
            Self::Conversions => "conversions",
            Self::Deliveries => "deliveries",
            Self::Approvals => "approvals",
            Self::Sessions => "sessions",
            Self::SetupLinks => "setup_links",
            Self::AccessTokens => "access_tokens",
            Self::SdkKeys => "sdk_keys",
            Self::EdgeKeys => "edge_keys",
            Self::IdempotencyAnswers => "idempotency_records",
            Self::EvaluationHours => "evaluation_hours",
            Self::EvaluationDays => "evaluation_days",
            Self::EvaluationSummaries => "evaluation_summaries",
        }
    }
}

impl Retention {
    /// The instant before which rows of a kind are no longer kept; none if they are kept for ever.
    pub fn ends_before(&self, kind: SweptKind, now: Instant) -> Option<Instant> {
        let kept = match kind {
            SweptKind::AuditLog => self.audit_log,
            SweptKind::Outbox => self.outbox,
            SweptKind::Goals => self.goals,
            // Those of deleted experiments are removed even if goals are kept for ever.
            SweptKind::Participants | SweptKind::Conversions => Some(self.goals.unwrap_or(Duration::MAX)),
            // The time of use that is stored may be a day old.
            SweptKind::GoalKeys => self.goals.map(|kept| kept + DAY),
            SweptKind::Deliveries => self.deliveries,
            SweptKind::Approvals => self.approvals,
            SweptKind::Sessions
            | SweptKind::SetupLinks
            | SweptKind::AccessTokens
            | SweptKind::SdkKeys
            | SweptKind::EdgeKeys => Some(Duration::ZERO),
            SweptKind::IdempotencyAnswers => Some(self.idempotency),
            SweptKind::EvaluationHours => Some(HOUR * (insights::HOURS as u32 + 1)),
            SweptKind::EvaluationDays => Some(insights::STALE_AFTER + DAY),
            // As long as an edge may be away that has one to report.
            SweptKind::EvaluationSummaries => Some(insights::STALE_AFTER),
        };
        kept.map(|kept| ago(now, kept))
    }
}

/// The instant so long before another.
pub fn ago(now: Instant, duration: Duration) -> Instant {
    Instant(now.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
}
