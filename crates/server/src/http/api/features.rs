//! `/api/v1/projects/{projectKey}/features`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use flagservice_core::Key;
use flagservice_rules::ServedSummary;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::changes::change::EditResult;
use crate::app::features::{self, FeatureDetails, InEnvironment, Listed};
use crate::app::{App, Comment, Description, Edit, Name, Operation, Tag};
use crate::domain::feature::{FeatureFilter, Lifecycle, ValueType};
use crate::http::api::approvals::{self, ApprovalRequested};
use crate::http::extract::caller::{Reader, Writer};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::{Json, nullable};
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// A feature.
#[derive(Serialize, ToSchema)]
#[schema(as = Feature)]
#[serde(rename_all = "camelCase")]
pub struct FeatureView {
    key: Key,
    name: String,
    description: String,
    lifecycle: Lifecycle,
    variants: Vec<Key>,
    #[serde(rename = "type")]
    value_type: ValueType,
    tags: Vec<String>,
    /// The person who looks after it, if any.
    owner: Option<OwnerView>,
    /// Every change of its targeting needs approval.
    approval_required: bool,
    /// The release pipeline that it is assigned to, if any.
    pipeline_key: Option<Key>,
    /// Its current phase in the pipeline, if any.
    phase: Option<CurrentPhase>,
    /// Its state in each environment; only in lists with `environments=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    environments: Option<Vec<FeatureInEnvironment>>,
}

/// The person who looks after a feature.
#[derive(Serialize, ToSchema)]
#[schema(as = FeatureOwner)]
pub struct OwnerView {
    /// The id of the user.
    id: String,
    name: String,
}

/// The state of a feature in an environment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeatureInEnvironment {
    environment_key: Key,
    enabled: bool,
    off_variant_key: Key,
    /// The number of rules.
    rules: usize,
    /// What users get, in short.
    served: ServedSummary,
    /// The version of the targeting, for If-Match.
    version: u64,
    /// The approval that is pending there, if any.
    pending_approval_id: Option<String>,
}

/// A feature's current phase in its pipeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentPhase {
    name: String,
    environment_key: Key,
}

impl From<FeatureDetails> for FeatureView {
    fn from(FeatureDetails { feature, owner, pipeline, phase }: FeatureDetails) -> Self {
        Self {
            key: feature.key,
            name: feature.name,
            description: feature.description,
            lifecycle: feature.lifecycle,
            variants: feature.variants,
            value_type: feature.value_type,
            tags: feature.tags,
            owner: owner.map(|user| OwnerView { id: user.id.to_string(), name: user.name }),
            approval_required: feature.approval_required,
            pipeline_key: pipeline,
            phase: phase.map(|phase| CurrentPhase { name: phase.name, environment_key: phase.environment }),
            environments: None,
        }
    }
}

impl From<Listed> for FeatureView {
    fn from(Listed { described, environments }: Listed) -> Self {
        let state = |state: InEnvironment| FeatureInEnvironment {
            environment_key: state.environment,
            enabled: state.enabled,
            off_variant_key: state.off_variant,
            rules: state.rules,
            served: state.served,
            version: state.version,
            pending_approval_id: state.pending.map(|id| id.to_string()),
        };
        let environments = environments.map(|states| states.into_iter().map(state).collect());
        Self { environments, ..described.into() }
    }
}

fn versioned(described: FeatureDetails) -> Versioned<FeatureView> {
    Versioned { version: described.feature.revision, view: described.into() }
}

/// The fields of a new feature.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewFeature {
    key: Key,
    name: Name,
    #[serde(default = "Description::none")]
    description: Description,
    /// At least two. Default: `on` and `off`.
    #[schema(min_items = 2)]
    variants: Option<Vec<Key>>,
    /// Default: `boolean` for the variants `on` and `off`, else `string`.
    #[serde(rename = "type")]
    value_type: Option<ValueType>,
    /// Each once.
    #[serde(default)]
    #[schema(max_items = 50)]
    tags: Vec<Tag>,
    /// The id of the user who looks after it. Default: nobody.
    owner_id: Option<String>,
    #[serde(default = "draft")]
    lifecycle: Lifecycle,
    #[serde(default)]
    approval_required: bool,
    pipeline_key: Option<Key>,
}

fn draft() -> Lifecycle {
    Lifecycle::Draft
}

/// Changes to a feature. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeatureEdit {
    name: Option<Name>,
    description: Option<Description>,
    /// At least two. Variants that are served in an environment, and the control of a running experiment, can't be removed.
    #[schema(min_items = 2)]
    variants: Option<Vec<Key>>,
    /// A boolean feature that gets variants besides `on` and `off` becomes a string.
    #[serde(rename = "type")]
    value_type: Option<ValueType>,
    /// Each once, at most 50 or as many as there are.
    tags: Option<Vec<Tag>>,
    /// The id of the user who looks after it. Null: nobody.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<String>)]
    owner_id: Option<Option<String>>,
    lifecycle: Option<Lifecycle>,
    /// Removing this requirement needs the administrator role.
    approval_required: Option<bool>,
    /// A newly assigned feature starts in the first phase. Null removes the feature from its pipeline.
    /// Removing it from a pipeline with approvals requires the administrator role.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<Key>)]
    pipeline_key: Option<Option<Key>>,
    /// A message for approvers and the audit log.
    comment: Option<Comment>,
}

/// Filters for features.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FeatureQuery {
    /// Only features with this status.
    lifecycle: Option<Lifecycle>,
    /// Only features with this tag.
    #[param(pattern = r"^[^\u0000]*$")]
    tag: Option<String>,
    /// Only features with all of these words in the key, name, tags or description. Not case-sensitive.
    #[param(pattern = r"^[^\u0000]*$")]
    search: Option<String>,
    /// Whether to include the state in each environment.
    #[serde(default)]
    environments: bool,
}

/// Lists the project's features by key.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/features",
    operation_id = "listFeatures",
    tag = "Features",
    params(("projectKey" = Key, Path), PageQuery, FeatureQuery),
    responses((status = 200, body = List<FeatureView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(page): Query<PageQuery>,
    Query(query): Query<FeatureQuery>,
) -> Result<axum::Json<List<FeatureView>>, Problem> {
    let query = features::FeatureQuery {
        filter: FeatureFilter { lifecycle: query.lifecycle, tag: query.tag.as_deref() },
        search: query.search.as_deref(),
        environments: query.environments,
    };
    Ok(List::from_page(features::list(&app, &caller, &project, &query, &page.page()?).await?, FeatureView::from))
}

/// Creates a feature with targeting off in every environment.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/features",
    operation_id = "createFeature",
    tag = "Features",
    params(("projectKey" = Key, Path), IdempotencyKey),
    request_body = NewFeature,
    responses((status = 201, body = FeatureView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(project): Path<String>,
    Once { body, request }: Once<NewFeature>,
) -> Result<Response, Problem> {
    let new = features::NewFeature {
        key: body.key,
        name: body.name,
        description: body.description,
        variants: body.variants,
        value_type: body.value_type,
        tags: body.tags,
        owner: body.owner_id,
        lifecycle: body.lifecycle,
        approval_required: body.approval_required,
        pipeline: body.pipeline_key,
    };
    once(&app, &caller, request, async |mut operation| {
        let described = features::create(&mut operation, &project, new).await?;
        Reply::created(operation, versioned(described))
    })
    .await
}

/// Reads a feature.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/features/{featureKey}",
    operation_id = "readFeature",
    tag = "Features",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path)),
    responses((status = 200, body = FeatureView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature)): Path<(String, String)>,
) -> Result<Versioned<FeatureView>, Problem> {
    Ok(versioned(features::read(&app, &caller, &project, &feature).await?))
}

/// Changes a feature, or requests approval for the change.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}/features/{featureKey}",
    operation_id = "updateFeature",
    tag = "Features",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), IfMatch),
    request_body = FeatureEdit,
    responses(
        (status = 200, body = FeatureView),
        ApprovalRequested,
    ),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<FeatureEdit>,
) -> Result<Response, Problem> {
    let fields = features::FeatureEdit {
        name: edit.name,
        description: edit.description,
        variants: edit.variants,
        value_type: edit.value_type,
        tags: edit.tags,
        owner: edit.owner_id,
        lifecycle: edit.lifecycle,
        approval_required: edit.approval_required,
        pipeline: edit.pipeline_key,
        comment: edit.comment,
    };
    let _patterns = features::compile_ahead(&app, &caller, &project, &feature, &fields).await?;
    let mut operation = Operation::begin(&app, &caller).await?;
    let result = features::update(&mut operation, &project, &feature, Edit { fields, if_match }).await?;
    operation.commit().await?;
    Ok(match result {
        EditResult::Applied(details) => versioned(details).into_response(),
        EditResult::PendingApproval(approval) => approvals::requested(&project, *approval),
    })
}

/// The expected state of a feature that moves to its next phase.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NextPhase {
    /// The environment of the feature's current phase, as the caller saw it. If the feature has moved since, the response is 409.
    from_environment_key: Option<Key>,
}

/// Moves a feature to the next phase of its pipeline. Targeting does not change.
///
/// The response is 409 while a guard has tripped in the running experiment of the current phase: stop the experiment first.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/features/{featureKey}/next-phase",
    operation_id = "moveToNextPhase",
    tag = "Features",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), IdempotencyKey),
    request_body = NextPhase,
    responses((status = 200, body = FeatureView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn next_phase(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature)): Path<(String, String)>,
    Once { body, request }: Once<NextPhase>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let described = features::next_phase(&mut operation, &project, &feature, body.from_environment_key).await?;
        let Versioned { version, view } = versioned(described);
        Reply::json(operation, StatusCode::OK, Some(version), &view)
    })
    .await
}

/// Deletes an archived feature and its targeting, or requests approval for that.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/features/{featureKey}",
    operation_id = "deleteFeature",
    tag = "Features",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), IfMatch),
    responses(
        (status = 204),
        ApprovalRequested,
    ),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
) -> Result<Response, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let result = features::delete(&mut operation, &project, &feature, if_match).await?;
    operation.commit().await?;
    Ok(match result {
        EditResult::Applied(()) => StatusCode::NO_CONTENT.into_response(),
        EditResult::PendingApproval(approval) => approvals::requested(&project, *approval),
    })
}
