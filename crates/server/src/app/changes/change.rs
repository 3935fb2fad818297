//! The one way to change what clients get: gate → version → audit → outbox, in one transaction.
//!
//! Direct edits, copies, approvals, lifecycle changes, new features and audiences all submit their changes here. Readers of
//! the outbox are never called from here.

use flagservice_rules::{Instant, Targeting};
use serde_json::{Value, json};

use crate::app::changes::approvals;
use crate::app::changes::aspects;
use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::changes::feature_removal;
use crate::app::changes::gate::{self, GateDecision};
use crate::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use crate::app::changes::transitions;
use crate::app::{Actor, AppError, Operation, Result, Write};
use crate::domain::approval::Approval;
use crate::domain::changes::flag_change::{Aspect, FeatureChange, FlagChange, Transition};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::ChangeId;
use crate::domain::role::Role;
use crate::domain::targeting::StoredTargeting;
use crate::store::changes::outbox::NewEntry;
use crate::store::changes::targetings;
use crate::store::resources::{environments, features};

/// How a change gets an approval if it needs one.
pub enum ApprovalMode<'a> {
    /// It cannot wait for one: it is refused.
    Unsupported,
    /// It is part of a project that an operator imports, and needs none: the operator could write to the database.
    Imported,
    /// One is requested, with this note.
    Requestable(ChangeNote),
    /// The actor grants this one.
    Granted(&'a Approval),
    /// Its time has come: it was approved, or needed no approval.
    Scheduled(&'a Approval),
    /// It does without one: a production editor switches targeting off, and says why. The audit log and the annotation show it.
    BreakGlass,
}

/// The result of an edit.
pub enum EditResult<T> {
    /// The resource is as requested.
    Applied(T),
    /// An approval was requested, or the change waits for its time; nothing has changed.
    PendingApproval(Box<Approval>),
}

/// The result of a change.
pub enum Submitted {
    /// It was applied. The versions are those of the plan's environments, in its order.
    Applied(Vec<u64>),
    /// An approval was requested, or the change waits for its time; nothing has changed.
    PendingApproval(Box<Approval>),
}

/// Applies a change, schedules it, or requests an approval for it, in the operation's transaction, in which the caller has locked the
/// project and read the plan's targeting.
///
/// # Errors
/// Those of the gate; [`AppError::ApprovalRequired`] for a change that needs an approval and does not support one;
/// [`AppError::Archived`] for a request for an archived feature. Then nothing may be committed.
pub async fn submit(operation: &mut Operation<'_>, plan: &Plan, mode: ApprovalMode<'_>) -> Result<Submitted> {
    match mode {
        ApprovalMode::Unsupported => match check_gate(operation, plan).await? {
            GateDecision::Allowed => Ok(Submitted::Applied(apply(operation, plan, Vec::new()).await?)),
            GateDecision::NeedsApproval { environment, .. } => Err(approval_required(plan, &environment)),
        },
        ApprovalMode::Imported => {
            authorize(operation, plan).await?;
            Ok(Submitted::Applied(apply(operation, plan, Vec::new()).await?))
        }
        ApprovalMode::Requestable(note) => match check_gate(operation, plan).await? {
            GateDecision::Allowed if note.scheduled_for.is_some() => {
                Ok(Submitted::PendingApproval(Box::new(approvals::schedule(operation, plan, note).await?)))
            }
            GateDecision::Allowed => Ok(Submitted::Applied(apply(operation, plan, note.audit_fields()).await?)),
            GateDecision::NeedsApproval { environment, reasons } => {
                let approval = approvals::request(operation, plan, note, *environment, reasons).await?;
                Ok(Submitted::PendingApproval(Box::new(approval)))
            }
        },
        ApprovalMode::Scheduled(approval) => {
            // An approval was given for exactly this change. Without one, the gates of now count.
            if approval.decision.is_some() {
                authorize(operation, plan).await?;
            } else if let GateDecision::NeedsApproval { environment, .. } = check_gate(operation, plan).await? {
                return Err(approval_required(plan, &environment));
            }
            Ok(Submitted::Applied(apply(operation, plan, scheduled_fields(approval)).await?))
        }
        ApprovalMode::Granted(approval) => {
            authorize(operation, plan).await?;
            let fields = granted_fields(operation.actor, approval);
            Ok(Submitted::Applied(apply(operation, plan, fields).await?))
        }
        ApprovalMode::BreakGlass => {
            operation.actor.require(Role::ProductionEditor)?;
            authorize(operation, plan).await?;
            let (feature, person) = (&plan.after.key, &operation.actor.name);
            tracing::warn!(%feature, person, reason = plan.break_glass, "targeting was switched off without an approval");
            let fields = vec![("breakGlass", json!(true)), ("reason", json!(plan.break_glass))];
            if !plan.edits_targeting() {
                // It was off already: nobody learns of a change, but the reason is kept.
                record_plan_audit(operation, plan, fields).await?;
                return Ok(Submitted::Applied(Vec::new()));
            }
            Ok(Submitted::Applied(apply(operation, plan, fields).await?))
        }
    }
}

async fn check_gate(operation: &mut Operation<'_>, plan: &Plan) -> Result<GateDecision> {
    gate::check(operation.write.connection().await?, operation.actor, plan).await
}

async fn authorize(operation: &mut Operation<'_>, plan: &Plan) -> Result<()> {
    gate::authorize(operation.write.connection().await?, operation.actor, plan).await.map(drop)
}

/// Why a change that cannot wait for an approval is refused.
fn approval_required(plan: &Plan, environment: &Environment) -> AppError {
    let (feature, environment) = (&plan.after.key, &environment.key);
    AppError::ApprovalRequired(if plan.before.is_none() {
        format!(
            "'{feature}' has no variant 'off', so '{environment}' would serve another variant at once, and changes there need \
             an approval. Create it with the variant 'off', and request the other off variant then."
        )
    } else {
        format!(
            "A change of '{feature}' in '{environment}' needs an approval, and this kind of change cannot wait for one."
        )
    })
}

/// The fields that the audit record of an approved change has in addition.
fn granted_fields(actor: &Actor, approval: &Approval) -> Vec<(&'static str, Value)> {
    let mut fields = requested_fields(approval);
    fields.push(("approvedBy", json!({ "id": actor.user_id, "name": actor.name })));
    fields
}

/// The fields that the audit record of a scheduled change has in addition.
fn scheduled_fields(approval: &Approval) -> Vec<(&'static str, Value)> {
    let mut fields = requested_fields(approval);
    fields.extend(approval.scheduled_for.map(|at| ("scheduledFor", json!(at.0))));
    if let Some(decision) = &approval.decision {
        fields.push(("approvedBy", json!({ "id": decision.by.id, "name": decision.by.name })));
    }
    fields
}

fn requested_fields(approval: &Approval) -> Vec<(&'static str, Value)> {
    let mut fields = ChangeNote::of(approval).audit_fields();
    fields.push(("approvalId", json!(approval.id)));
    fields.push(("requestedBy", json!({ "id": approval.requester.id, "name": approval.requester.name })));
    fields
}

/// Applies a change that the gate allows; `audit_fields` are added to its audit record.
async fn apply(
    operation: &mut Operation<'_>,
    plan: &Plan,
    audit_fields: Vec<(&'static str, Value)>,
) -> Result<Vec<u64>> {
    let at = operation.app.now();
    let change_id = ChangeId::new(&*operation.app.random, at);
    if plan.deletes {
        feature_removal::record(operation, &plan.project, &plan.after).await?;
        features::delete(operation.write.connection().await?, &plan.after.id).await?;
    } else if plan.before.is_none() {
        features::insert(operation.write.connection().await?, &plan.after, at).await?;
    } else if plan.before.as_ref() != Some(&plan.after) {
        features::update(operation.write.connection().await?, &plan.after).await?;
    }
    let mut versions = Vec::with_capacity(plan.targetings.len());
    for targeting in &plan.targetings {
        let change = flag_change(operation.actor, plan, targeting);
        let entry = NewEntry {
            environment_id: &targeting.environment.id,
            change_id: &change_id,
            feature_id: Some(&plan.after.id),
            at,
            change: &change,
        };
        let version = operation.write.publish(&entry).await?;
        // Other conditions of an audience raise the version too: who has seen the targeting has seen other rules.
        if targeting.is_edit() || targeting.before.is_none() {
            let stored =
                StoredTargeting { feature_id: plan.after.id.clone(), targeting: targeting.after.clone(), version };
            targetings::put(operation.write.connection().await?, &targeting.environment.id, &stored).await?;
        }
        versions.push(version);
    }
    announce_variants(&mut operation.write, plan, &change_id, at).await?;
    record_plan_audit(operation, plan, audit_fields).await?;
    Ok(versions)
}

/// Announces other variants or another type in the environments that learn of nothing else: clients know the type of a feature.
async fn announce_variants(write: &mut Write<'_>, plan: &Plan, change_id: &ChangeId, at: Instant) -> Result<()> {
    let same = |before: &Feature| before.variants == plan.after.variants && before.value_type == plan.after.value_type;
    if plan.before.as_ref().is_none_or(same) {
        return Ok(());
    }
    for environment in environments::list(write.connection().await?, &plan.project.id).await? {
        if plan.targetings.iter().any(|published| published.environment.id == environment.id) {
            continue;
        }
        let change = FlagChange::Variants { feature_key: plan.after.key.to_string() };
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
        aspects.extend(if targeting.accepted {
            aspects::of_request(before, &targeting.after)
        } else {
            aspects::of_targeting(before, &targeting.after)
        });
    }
    if targeting.audience_edited {
        aspects.push(Aspect::RuleEdited);
    }
    aspects
}

/// From what to what the plan changes in one of its environments.
fn transitions(plan: &Plan, targeting: &TargetingChange) -> Vec<Transition> {
    let lifecycle =
        plan.before.as_ref().and_then(|before| transitions::of_lifecycle(before.lifecycle, plan.after.lifecycle));
    let before = targeting.before.as_ref();
    let of_targeting = before.map(|before| transitions::of_targeting(before, &targeting.after)).unwrap_or_default();
    lifecycle.into_iter().chain(of_targeting).collect()
}

fn flag_change(actor: &Actor, plan: &Plan, targeting: &TargetingChange) -> FlagChange {
    FlagChange::Feature(FeatureChange {
        aspects: aspects_of(plan, targeting),
        feature_key: plan.after.key.to_string(),
        feature_name: plan.after.name.clone(),
        project_key: plan.project.key.to_string(),
        environment_key: targeting.environment.key.to_string(),
        environment_name: targeting.environment.name.clone(),
        user_name: actor.name.clone(),
        break_glass: plan.break_glass.clone(),
        transitions: transitions(plan, targeting),
    })
}

/// The feature, with its targeting in the environments that the plan touches.
fn state(plan: &Plan, feature: &Feature, targeting: fn(&TargetingChange) -> Option<&Targeting>) -> Value {
    let shown =
        |change| targeting(change).map(|shown| json!({ "environmentKey": change.environment.key, "targeting": shown }));
    json!({
        "key": feature.key, "name": feature.name, "description": feature.description,
        "lifecycle": feature.lifecycle, "variants": feature.variants, "type": feature.value_type, "tags": feature.tags,
        "ownerId": feature.owner_id,
        "approvalRequired": feature.approval_required, "pipelineId": feature.pipeline_id,
        "phaseEnvironmentId": feature.phase_environment_id,
        "targetings": plan.targetings.iter().chain(&plan.deleted).filter_map(shown).collect::<Vec<_>>(),
    })
}

async fn record_plan_audit(
    operation: &mut Operation<'_>,
    plan: &Plan,
    audit_fields: Vec<(&'static str, Value)>,
) -> Result<()> {
    let before = plan.before.as_ref().map(|feature| state(plan, feature, |change| change.before.as_ref()));
    let mut after = (!plan.deletes).then(|| state(plan, &plan.after, |change| Some(&change.after)));
    if !audit_fields.is_empty()
        && let Some(fields) = after.get_or_insert_with(|| json!({})).as_object_mut()
    {
        fields.extend(audit_fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    let resource = format!("projects/{}/features/{}", plan.project.key, plan.after.key);
    record_audit(operation, AuditRecord { action: plan.action, resource, before, after }).await
}
