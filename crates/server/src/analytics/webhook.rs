//! The body of a webhook. Its fields are part of the interface: they stay, and others may be added.

use jiff::Timestamp;
use serde::Serialize;

use crate::analytics::message::{Message, change_type};
use crate::domain::approval::ApprovalState;
use crate::domain::changes::flag_change::{Aspect, FeatureChange, MAX_TRANSITIONS};

/// The type of a test event.
const TEST: &str = "test";

/// The body of a webhook.
#[derive(Serialize)]
pub(super) struct Payload<'a> {
    /// The id of the delivery, the same in each attempt.
    id: &'a str,
    #[serde(rename = "type")]
    event: &'a str,
    /// When it happened, as in `2026-11-21T10:42:01Z`.
    time: String,
    project: Subject<'a>,
    /// None for a change of the feature itself, which is one for all environments.
    environment: Option<Subject<'a>>,
    feature: Subject<'a>,
    person: Person<'a>,
    /// What changed, or would change after an approval.
    changes: Vec<Change<'a>>,
    /// The same in one line.
    summary: String,
    /// None for changes.
    approval: Option<Approval<'a>>,
    /// Why a change did not wait for the approval that it needs (break-glass), or why an approval is stale or was decided so.
    reason: Option<&'a str>,
    /// The page of the feature or the approval.
    link: String,
}

/// What it is about. Projects have no name here.
#[derive(Serialize)]
struct Subject<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct Person<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Change<'a> {
    #[serde(rename = "type")]
    aspect: Aspect,
    text: &'a str,
    transitions: Vec<Transition<'a>>,
}

/// From what to what. `of` is a rule and a variant, and empty if they are clear.
#[derive(Serialize)]
struct Transition<'a> {
    of: &'a str,
    from: &'a str,
    to: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Approval<'a> {
    id: &'a str,
    state: ApprovalState,
    requested_by: Person<'a>,
    comment: &'a str,
}

impl<'a> Payload<'a> {
    /// The body for a message. Its link starts with `public_url`.
    pub(super) fn new(message: &'a Message<'a>, public_url: &str) -> Self {
        let change = message.change();
        let approval = message.announcement.approval();
        let environment = Subject { key: &change.environment_key, name: Some(&change.environment_name) };
        let reason = approval.map_or(change.break_glass.as_deref(), |approval| approval.reason.as_deref());
        Self {
            id: message.id,
            event: if message.is_test() { TEST } else { message.announcement.event() },
            time: Timestamp::from_millisecond(message.at.0).unwrap_or(Timestamp::MAX).to_string(),
            project: Subject { key: &change.project_key, name: None },
            environment: (!change.is_everywhere()).then_some(environment),
            feature: Subject { key: &change.feature_key, name: Some(&change.feature_name) },
            person: Person { name: &change.user_name },
            changes: change.aspects.iter().filter_map(|aspect| described(*aspect, change)).collect(),
            summary: message.changes(),
            approval: approval.map(|approval| Approval {
                id: approval.approval_id.as_str(),
                state: approval.state,
                requested_by: Person { name: &approval.requester_name },
                comment: &approval.comment,
            }),
            reason,
            link: message.url(public_url),
        }
    }
}

fn described(aspect: Aspect, change: &FeatureChange) -> Option<Change<'_>> {
    let own = change.transitions.iter().take(MAX_TRANSITIONS).filter(|transition| transition.aspect == aspect);
    let transitions = own.map(|shown| Transition { of: &shown.of, from: &shown.from, to: &shown.to }).collect();
    Some(Change { aspect, text: change_type(aspect)?, transitions })
}
