//! No approval is applied to another change than the approved one: a change that needed one has one, which was granted by somebody
//! else, for exactly this change of exactly that targeting; and it is applied once.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::history::operations::{Kind, Operation, Outcome, approval_of};
use crate::model::changes::{Change, changes, normal};
use crate::model::stored::Stored;

/// What does not hold.
pub fn violations(stored: &Stored, operations: &[Operation]) -> Vec<String> {
    let changes = changes(stored);
    let requested = requested(operations);
    let mut found = Vec::new();
    let mut applied: BTreeMap<&str, usize> = BTreeMap::new();
    for ((feature, environment), list) in &changes {
        for change in list {
            if let Some(approval) = &change.approval {
                *applied.entry(approval).or_default() += 1;
                found.extend(wrong_change(stored, &requested, approval, change));
            } else if environment == "production" && change.reason.is_none() {
                found.push(format!("{feature} changed in production without an approval: {change:?}"));
            }
        }
    }
    for (id, approval) in &stored.approvals {
        let count = applied.get(id.as_str()).copied().unwrap_or_default();
        if count != usize::from(approval.state == "approved") {
            found.push(format!("the approval {id} is {} and was applied {count} times", approval.state));
        }
    }
    found.extend(operations.iter().filter_map(|operation| wrong_decision(stored, operation)));
    found.extend(operations.iter().filter_map(|operation| lost_request(stored, operation)));
    found
}

/// The targetings for which approvals were requested, by the id that the requester was answered.
fn requested(operations: &[Operation]) -> BTreeMap<String, Value> {
    let requests = operations.iter().filter_map(|operation| {
        let Kind::Edit { targeting, .. } = &operation.kind else { return None };
        let (_, answer) = operation.answered.as_ref().filter(|(_, answer)| answer.status == 202)?;
        Some((approval_of(&answer.body)?, normal(targeting)))
    });
    requests.collect()
}

fn wrong_change(stored: &Stored, requested: &BTreeMap<String, Value>, id: &str, change: &Change) -> Option<String> {
    let Some(approval) = stored.approvals.get(id) else {
        return Some(format!("a change names the approval {id}, which does not exist: {change:?}"));
    };
    let is_approved = normal(&approval.before) == change.before && normal(&approval.after) == change.after;
    let is_requested = requested.get(id).is_none_or(|requested| *requested == change.after);
    let by_another = approval.decider.as_ref().is_some_and(|decider| *decider != approval.requester);
    let wrong = !is_approved || !is_requested || !by_another;
    wrong.then(|| format!("the approval {id} was applied to another change: {approval:?}, {change:?}, {requested:?}"))
}

/// An approval that was acknowledged as requested is stored.
fn lost_request(stored: &Stored, operation: &Operation) -> Option<String> {
    let (_, answer) = operation.answered.as_ref()?;
    let approval = approval_of(&answer.body).filter(|id| !stored.approvals.contains_key(id))?;
    Some(format!("the approval {approval} was requested and is not stored: {operation:?}"))
}

/// A decision that was acknowledged is stored.
fn wrong_decision(stored: &Stored, operation: &Operation) -> Option<String> {
    let Kind::Decide { approval, verdict } = &operation.kind else { return None };
    if operation.outcome() != Outcome::Done {
        return None;
    }
    let expected = match *verdict {
        "approve" => "approved",
        "reject" => "rejected",
        _ => "cancelled",
    };
    let state = stored.approvals.get(approval).map(|approval| approval.state.as_str());
    (state != Some(expected))
        .then(|| format!("{verdict} was acknowledged, and the approval is {state:?}: {operation:?}"))
}
