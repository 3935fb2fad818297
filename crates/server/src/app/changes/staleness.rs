//! Whether a change can still be approved, or made at its time: whether what is there now is what it was made for.

use flagservice_core::Key;
use flagservice_rules::{Condition, RuleAudience, Targeting, validate_variants};
use serde::Serialize;

use crate::app::changes::{schedule, targeting, usable_audiences};
use crate::app::{Actor, Result};
use crate::domain::approval::{Approval, RecordChange, Staleness};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::secret;
use crate::store::Connection;
use crate::store::resources::{environments, users};

/// Why the approval cannot be given now; none when it can.
pub(super) async fn detect(
    connection: &mut Connection,
    approval: &Approval,
    feature: &Feature,
    environment: &Environment,
) -> Result<Option<Staleness>> {
    if requester_is_gone(connection, approval).await? {
        let detail = "its requester is no longer a person of the organisation";
        return Ok(Some(Staleness::Invalid { detail: detail.to_owned() }));
    }
    if let Some(change) = &approval.record_change {
        let same = change.before == *feature && digest_of_record(connection, change).await? == approval.digest;
        if !same {
            return Ok(Some(Staleness::FeatureChanged));
        }
        return owner_is_gone(connection, change).await;
    }
    if !feature.lifecycle.is_evaluated() {
        return Ok(Some(Staleness::FeatureArchived));
    }
    if let Some(scheduled_for) = approval.scheduled_for {
        // Earlier changes of the schedule raise the version, so the targeting itself counts.
        let base = schedule::base(connection, &environment.id, feature, scheduled_for).await?;
        if as_stored(&base)? != approval.before {
            return Ok(Some(Staleness::BaseChanged { earlier: None }));
        }
    } else {
        let current = targeting::current(connection, &environment.id, feature).await?.version;
        let asked = approval.target_version;
        if asked != current {
            return Ok(Some(Staleness::TargetChanged { asked, current }));
        }
    }
    if digest(connection, environment, &approval.before, &approval.after).await? != approval.digest {
        return Ok(Some(Staleness::AudienceChanged));
    }
    // The rules were validated when the approval was requested, and their audiences have not changed since.
    let violations = validate_variants(&approval.after, &feature.variants);
    Ok(violations.into_iter().next().map(|violation| Staleness::Invalid { detail: violation.detail }))
}

/// A change is made in the name of its requester, and for them. The service itself requests changes, too.
async fn requester_is_gone(connection: &mut Connection, approval: &Approval) -> Result<bool> {
    let requester = &approval.requester.id;
    Ok(!Actor::is_nobody(requester.as_str()) && users::get(connection, requester).await?.is_none())
}

/// All else that a change of the record refers to is part of what it was made for, or cannot be deleted meanwhile.
async fn owner_is_gone(connection: &mut Connection, change: &RecordChange) -> Result<Option<Staleness>> {
    let Some(owner) = change.after.as_ref().and_then(|after| after.owner_id.as_ref()) else { return Ok(None) };
    let is_gone = users::get(connection, owner).await?.is_none();
    let detail = "the new owner is no longer a person of the organisation";
    Ok(is_gone.then(|| Staleness::Invalid { detail: detail.to_owned() }))
}

/// A targeting, and the conditions that each saved audience stands for which it names; none when there is no such audience.
#[derive(Serialize)]
struct Reviewed<'a> {
    targeting: &'a Targeting,
    audiences: Vec<(&'a Key, Option<&'a Vec<Condition>>)>,
}

/// What tells this change from every other: both targetings, with what their audiences stand for now.
pub(super) async fn digest(
    connection: &mut Connection,
    environment: &Environment,
    before: &Targeting,
    after: &Targeting,
) -> Result<String> {
    let rules = [before.rules.as_slice(), after.rules.as_slice()];
    let usable = usable_audiences::of(connection, &environment.project_id, &environment.id, &rules).await?;
    let reviewed = [before, after].map(|targeting| {
        let named = targeting.rules.iter().filter_map(|rule| match &rule.audience {
            RuleAudience::Saved(key) => Some((key, usable.get(key))),
            RuleAudience::Inline(_) => None,
        });
        Reviewed { targeting, audiences: named.collect() }
    });
    Ok(secret::hash(&serde_json::to_string(&reviewed).map_err(anyhow::Error::new)?))
}

/// What tells this change of a record from every other: the record, and what each environment serves by now.
pub(super) async fn digest_of_record(connection: &mut Connection, change: &RecordChange) -> Result<String> {
    let mut digests = vec![serde_json::to_string(change).map_err(anyhow::Error::new)?];
    for environment in environments::list(connection, &change.before.project_id).await? {
        let stored = targeting::current(connection, &environment.id, &change.before).await?;
        let digest = digest(connection, &environment, &stored.targeting, &stored.targeting).await?;
        digests.push(format!("{} {} {digest}", environment.id, stored.version));
    }
    Ok(secret::hash(&digests.join("\n")))
}

/// A targeting as it comes back from the database.
pub(super) fn as_stored(targeting: &Targeting) -> Result<Targeting> {
    let text = serde_json::to_string(targeting).map_err(anyhow::Error::new)?;
    Ok(serde_json::from_str(&text).map_err(anyhow::Error::new)?)
}
