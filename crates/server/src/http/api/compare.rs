//! `/api/v1/projects/{projectKey}/environments/compare`: two environments side by side.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use flagservice_core::Key;
use flagservice_rules::{Difference, Rule};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::{IntoParams, ToSchema};

use crate::app::compare::cache::CachedTargeting;
use crate::app::compare::copied::SkipReason;
use crate::app::compare::{self, CannotCopy, Comparison, Named, Row, Targeted};
use crate::app::{App, AppError};
use crate::domain::environment::Environment;
use crate::domain::feature::Lifecycle;
use crate::http::api::approvals::{GateKind, gates};
use crate::http::extract::caller::Reader;
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// Estimated size of a compared feature with ten rules in each environment, in bytes.
const BYTES_PER_FEATURE: usize = 5 * 1024;

/// Two environments side by side, both read at the same time.
#[derive(Serialize, ToSchema)]
#[schema(as = Comparison)]
pub struct ComparisonView {
    source: ComparedEnvironment,
    target: ComparedEnvironment,
    /// The number of features that differ.
    different: usize,
    /// The number of identical features.
    identical: usize,
    /// All features that are not archived, sorted by key.
    features: Vec<ComparedFeature>,
}

/// One of the two environments.
#[derive(Serialize, ToSchema)]
pub struct ComparedEnvironment {
    key: Key,
    name: String,
    /// Changing targeting here requires the production editor role.
    production: bool,
    /// Random, and new after a restore. Versions from different epochs can't be compared.
    #[schema(pattern = "^[0-9a-f]{16}$")]
    epoch: String,
    /// Increases with each change of what clients get.
    version: u64,
}

/// A feature in both environments.
#[derive(Serialize, ToSchema)]
pub struct ComparedFeature {
    key: Key,
    name: String,
    description: String,
    lifecycle: Lifecycle,
    variants: Vec<Key>,
    tags: Vec<String>,
    source: ComparedTargeting,
    target: ComparedTargeting,
    /// The settings that differ, in this order. Empty if the environments are identical.
    differences: Vec<Difference>,
    chips: Chips,
}

/// A feature's targeting in one of the two environments. Rules are included even while targeting is off.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedTargeting {
    enabled: bool,
    off_variant_key: Key,
    #[serde(serialize_with = "rules")]
    #[schema(value_type = Vec<Rule>)]
    rules: Arc<CachedTargeting>,
    /// The version of the environment with which this targeting came into effect.
    version: u64,
}

/// What to know before copying the feature from the source to the target. Only chips that apply are present.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chips {
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<PipelineChip>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_required: Option<ApprovalRequiredChip>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audiences_copied_inline: Option<AudiencesCopiedInlineChip>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes_scheduled: Option<ChangesScheduledChip>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cannot_copy: Option<CannotCopyChip>,
}

/// The feature is assigned to a release pipeline.
#[derive(Serialize, ToSchema)]
pub struct PipelineChip {
    /// `Pipeline: ` and its name.
    label: String,
    key: Key,
    name: String,
}

/// Copying to the target environment needs approval.
#[derive(Serialize, ToSchema)]
pub struct ApprovalRequiredChip {
    /// `Approval required`.
    label: &'static str,
    /// What requires approval: the target environment, the feature, or the phase of its pipeline there.
    reasons: Vec<GateKind>,
}

/// A rule uses an audience that exists only in the source environment.
#[derive(Serialize, ToSchema)]
pub struct AudiencesCopiedInlineChip {
    /// `Audience copied inline`.
    label: &'static str,
    /// In the order of the rules.
    audiences: Vec<InlinedAudience>,
}

/// An audience whose conditions are copied into the rule.
#[derive(Serialize, ToSchema)]
pub struct InlinedAudience {
    key: Key,
    name: String,
}

/// Changes of the target's targeting wait for their time. A copy that is applied before makes them stale.
#[derive(Serialize, ToSchema)]
pub struct ChangesScheduledChip {
    /// `Changes scheduled`.
    label: &'static str,
    /// In the order of their times.
    changes: Vec<ChangeScheduled>,
}

/// A change that waits for its time, and perhaps also for an approval.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeScheduled {
    /// The id of the change, below `/approvals`.
    approval_id: String,
    scheduled_for: Time,
}

/// The feature can't be copied to the target environment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CannotCopyChip {
    /// `Cannot copy`.
    label: &'static str,
    /// The same code as in the result of a copy.
    code: &'static str,
    /// An explanation for people.
    reason: String,
    /// The id of the pending approval.
    approval_id: String,
}

impl From<Comparison> for ComparisonView {
    fn from(Comparison { source, target, rows }: Comparison) -> Self {
        let identical = rows.iter().filter(|row| row.differences.is_empty()).count();
        Self {
            source: source.into(),
            target: target.into(),
            different: rows.len() - identical,
            identical,
            features: rows.into_iter().map(ComparedFeature::from).collect(),
        }
    }
}

impl From<Environment> for ComparedEnvironment {
    fn from(environment: Environment) -> Self {
        Self {
            key: environment.key,
            name: environment.name,
            production: environment.production,
            epoch: format!("{:016x}", environment.epoch),
            version: environment.version,
        }
    }
}

fn rules<S: Serializer>(held: &Arc<CachedTargeting>, serializer: S) -> Result<S::Ok, S::Error> {
    held.rules.serialize(serializer)
}

impl From<Targeted> for ComparedTargeting {
    fn from(Targeted { held, version }: Targeted) -> Self {
        let (enabled, off_variant_key) = (held.targeting.enabled, held.targeting.off_variant.clone());
        Self { enabled, off_variant_key, rules: held, version }
    }
}

impl From<Row> for ComparedFeature {
    fn from(row: Row) -> Self {
        let audiences = row.inlined.into_iter().map(|Named { key, name }| InlinedAudience { key, name });
        let audiences: Vec<_> = audiences.collect();
        let changes = row.scheduled.into_iter();
        let changes = changes
            .map(|change| ChangeScheduled { approval_id: change.id.to_string(), scheduled_for: Time(change.at) });
        let changes: Vec<_> = changes.collect();
        let chips = Chips {
            pipeline: row.pipeline.map(|Named { key, name }| PipelineChip {
                label: format!("Pipeline: {name}"),
                key,
                name,
            }),
            approval_required: (!row.approval.is_empty())
                .then(|| ApprovalRequiredChip { label: "Approval required", reasons: gates(&row.approval) }),
            audiences_copied_inline: (!audiences.is_empty())
                .then_some(AudiencesCopiedInlineChip { label: "Audience copied inline", audiences }),
            changes_scheduled: (!changes.is_empty())
                .then_some(ChangesScheduledChip { label: "Changes scheduled", changes }),
            cannot_copy: row.cannot_copy.map(|CannotCopy::PendingApproval(approval)| {
                let reason = SkipReason::PendingApproval(approval.clone());
                CannotCopyChip {
                    label: "Cannot copy",
                    code: reason.code(),
                    reason: reason.to_string(),
                    approval_id: approval.to_string(),
                }
            }),
        };
        Self {
            key: row.feature.key,
            name: row.feature.name,
            description: row.feature.description,
            lifecycle: row.feature.lifecycle,
            variants: row.feature.variants,
            tags: row.feature.tags,
            source: row.source.into(),
            target: row.target.into(),
            differences: row.differences,
            chips,
        }
    }
}

/// The environments to compare.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ComparisonQuery {
    /// Key of the environment to copy from.
    #[param(required = true, nullable = false, value_type = Key)]
    source: Option<String>,
    /// Key of the environment to copy to.
    #[param(required = true, nullable = false, value_type = Key)]
    target: Option<String>,
}

/// Compares two environments, feature by feature.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/compare",
    operation_id = "compareEnvironments",
    tag = "Comparison",
    params(("projectKey" = Key, Path), ComparisonQuery),
    responses((status = 200, body = ComparisonView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(query): Query<ComparisonQuery>,
) -> Result<Response, Problem> {
    let environments = compare::ComparisonQuery { source: query.source.as_deref(), target: query.target.as_deref() };
    let to_json = |comparison: Comparison| {
        // Allocated at once: copying megabytes while the buffer grows is slow.
        let mut json = Vec::with_capacity(comparison.rows.len() * BYTES_PER_FEATURE);
        serde_json::to_writer(&mut json, &ComparisonView::from(comparison)).map(|()| json)
    };
    let json = compare::read(&app, &caller, &project, environments, to_json).await?;
    let json = json.map_err(|cause| AppError::Internal(cause.into()))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}
