//! The one way to change what clients get: gate → version → audit → outbox, in one transaction.
//!
//! Lifecycle changes, new features and audiences are its callers; direct edits and copies come through `approvals.rs`, because
//! they can wait. It never calls those who read the outbox.

use flagservice_rules::{Instant, Targeting};
use serde_json::{Value, json};

use crate::app::changes::aspects::{self, Aspect};
use crate::app::changes::audit::{Trace, record};
use crate::app::changes::gate::{self, Passage};
use crate::app::changes::plan::{Plan, Request, TargetingChange};
use crate::app::{Actor, App, AppError, Result, Write};
use crate::domain::approval::Approval;
use crate::domain::feature::Feature;
use crate::domain::ids::ChangeId;
use crate::domain::targeting::StoredTargeting;
use crate::store::changes::outbox::NewEntry;
use crate::store::changes::targetings;
use crate::store::resources::{environments, features};

/// Makes a change that cannot wait, in the caller's transaction. The versions are those of the plan's environments, in its
/// order.
///
/// # Errors
/// Those of the gate, and [`AppError::ApprovalRequired`] when somebody would have to approve it; then nothing may be
/// committed.
pub async fn make(app: &App, actor: &Actor, write: &mut Write<'_>, plan: &Plan) -> Result<Vec<u64>> {
    match gate::check(write.connection().await?, actor, plan).await? {
        Passage::Open => apply(app, actor, write, plan, Vec::new()).await,
        Passage::Held(_) => Err(AppError::ApprovalRequired(format!(
            "A change of '{}' needs an approval, and this one cannot wait for it.",
            plan.after.key
        ))),
    }
}

/// Makes a change that the actor approves.
///
/// # Errors
/// [`AppError::Forbidden`] for an actor who could not make the change.
pub(super) async fn make_approved(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    (plan, approval): (&Plan, &Approval),
) -> Result<Vec<u64>> {
    gate::rights(actor, plan)?;
    let request = Request { source: approval.source.clone(), comment: approval.comment.clone() };
    let mut notes = request.notes();
    notes.push(("approvalId", json!(approval.id)));
    notes.push(("requestedBy", json!({ "id": approval.requester.id, "name": approval.requester.name })));
    notes.push(("approvedBy", json!({ "id": actor.user_id, "name": actor.name })));
    apply(app, actor, write, plan, notes).await
}

/// Makes a change that the gate has let through; the notes are for the audit log.
pub(super) async fn apply(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    plan: &Plan,
    notes: Vec<(&'static str, Value)>,
) -> Result<Vec<u64>> {
    let at = app.now();
    let change_id = ChangeId::new(&*app.random, at);
    if plan.before.is_none() {
        features::insert(write.connection().await?, &plan.after, at).await?;
    } else if plan.before.as_ref() != Some(&plan.after) {
        features::update(write.connection().await?, &plan.after).await?;
    }
    let mut versions = Vec::with_capacity(plan.targetings.len());
    for targeting in &plan.targetings {
        let change = outbox_text(actor, plan, targeting);
        let entry = NewEntry {
            environment_id: &targeting.environment.id,
            change_id: &change_id,
            feature_id: Some(&plan.after.id),
            at,
            change: &change,
        };
        let version = write.publish(&entry).await?;
        if targeting.before.as_ref() != Some(&targeting.after) {
            let stored =
                StoredTargeting { feature_id: plan.after.id.clone(), targeting: targeting.after.clone(), version };
            targetings::put(write.connection().await?, &targeting.environment.id, &stored).await?;
        }
        versions.push(version);
    }
    announce_variants(write, plan, (&change_id, at)).await?;
    audit(app, actor, write, plan, notes).await?;
    Ok(versions)
}

/// Tells every environment of other variants: what a feature can be belongs to what clients know of it, whatever it is now.
async fn announce_variants(write: &mut Write<'_>, plan: &Plan, (change_id, at): (&ChangeId, Instant)) -> Result<()> {
    if plan.before.as_ref().is_none_or(|before| before.variants == plan.after.variants) {
        return Ok(());
    }
    for environment in environments::list(write.connection().await?, &plan.project.id).await? {
        if plan.targetings.iter().any(|told| told.environment.id == environment.id) {
            continue;
        }
        let change = json!({ "featureKey": plan.after.key });
        let feature_id = Some(&plan.after.id);
        let entry = NewEntry { environment_id: &environment.id, change_id, feature_id, at, change: &change };
        write.publish(&entry).await?;
    }
    Ok(())
}

/// The aspects of the plan in one of its environments.
fn aspects_of(plan: &Plan, targeting: &TargetingChange) -> Vec<Aspect> {
    let mut aspects = match (&plan.before, &targeting.before) {
        (Some(before), _) if before.lifecycle != plan.after.lifecycle => vec![Aspect::Lifecycle],
        (Some(_), _) => Vec::new(),
        (None, _) => vec![Aspect::Created],
    };
    if let Some(before) = &targeting.before {
        aspects.extend(aspects::of_targeting(before, &targeting.after));
    }
    if targeting.audience_edited {
        aspects.push(Aspect::RuleEdited);
    }
    aspects
}

fn outbox_text(actor: &Actor, plan: &Plan, targeting: &TargetingChange) -> Value {
    json!({
        "aspects": aspects_of(plan, targeting),
        "featureKey": plan.after.key,
        "featureName": plan.after.name,
        "projectKey": plan.project.key,
        "environmentKey": targeting.environment.key,
        "environmentName": targeting.environment.name,
        "userName": actor.name,
    })
}

/// The feature, with its targeting in the environments that the plan touches.
fn state(plan: &Plan, feature: &Feature, targeting: fn(&TargetingChange) -> Option<&Targeting>) -> Value {
    let shown =
        |change| targeting(change).map(|shown| json!({ "environmentKey": change.environment.key, "targeting": shown }));
    json!({
        "key": feature.key, "name": feature.name, "description": feature.description,
        "lifecycle": feature.lifecycle, "variants": feature.variants, "tags": feature.tags,
        "approvalRequired": feature.approval_required, "pipelineId": feature.pipeline_id,
        "phaseEnvironmentId": feature.phase_environment_id,
        "targetings": plan.targetings.iter().filter_map(shown).collect::<Vec<_>>(),
    })
}

async fn audit(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    plan: &Plan,
    notes: Vec<(&'static str, Value)>,
) -> Result<()> {
    let before = plan.before.as_ref().map(|feature| state(plan, feature, |change| change.before.as_ref()));
    let mut after = state(plan, &plan.after, |change| Some(&change.after));
    if let Some(fields) = after.as_object_mut() {
        fields.extend(notes.into_iter().map(|(name, note)| (name.to_owned(), note)));
    }
    let resource = format!("projects/{}/features/{}", plan.project.key, plan.after.key);
    record(app, actor, write, Trace { action: plan.action, resource, before, after: Some(after) }).await
}
