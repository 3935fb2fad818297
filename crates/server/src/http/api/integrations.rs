//! `/api/v1/admin/integrations/outbound`: where an organisation's flag changes are told of.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::app::Operation;
use crate::app::delivery::integrations::{self, BACKLOGGED, Described, NewIntegration};
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::EnvironmentId;
use crate::domain::integration::{Integration, Kind, Region};
use crate::http::extract::caller::Administrator;
use crate::http::extract::idempotency::{IdempotencyKey, Once, OnceBare, Reply, once, once_prepared};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;
use crate::secret::Secret;

/// Which changes are delivered.
#[derive(Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Filter {
    /// Ids of environments. Empty: changes in all of them.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required = false)]
    environment_ids: Vec<EnvironmentId>,
}

/// How an analytics service is reached; its keys are never shown.
#[derive(Serialize, ToSchema)]
pub struct AnalyticsConfiguration {
    region: Region,
    filter: Filter,
}

/// How the destination is reached.
#[derive(Serialize, ToSchema)]
pub struct Configuration {
    analytics: AnalyticsConfiguration,
}

/// What waits to be delivered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BacklogView {
    /// How many changes.
    waiting: u64,
    /// When the change was made that waits the longest; null when none does.
    oldest_change_at: Option<Time>,
    /// More than 10,000 wait.
    backlogged: bool,
}

/// An outbound integration.
#[derive(Serialize, ToSchema)]
#[schema(as = OutboundIntegration)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationView {
    id: String,
    #[serde(rename = "type")]
    kind: Kind,
    enabled: bool,
    configuration: Configuration,
    /// The integration exists.
    installed: bool,
    /// It is enabled, and the last delivery did not fail.
    delivering: bool,
    /// When the newest delivery was over; null before the first.
    last_delivery_at: Option<Time>,
    last_delivery_success: Option<bool>,
    /// What the destination answered, with the HTTP status, or why there was no answer.
    last_delivery_detail: Option<String>,
    backlog: BacklogView,
}

impl From<Described> for IntegrationView {
    fn from(Described { integration, backlog }: Described) -> Self {
        let Integration { id, kind, enabled, region, environment_ids, last, .. } = integration;
        Self {
            id: id.to_string(),
            kind,
            enabled,
            configuration: Configuration {
                analytics: AnalyticsConfiguration { region, filter: Filter { environment_ids } },
            },
            installed: true,
            delivering: enabled && last.as_ref().is_none_or(|last| last.success),
            last_delivery_at: last.as_ref().map(|last| Time(last.at)),
            last_delivery_success: last.as_ref().map(|last| last.success),
            last_delivery_detail: last.map(|last| last.detail),
            backlog: BacklogView {
                waiting: backlog.waiting,
                oldest_change_at: backlog.oldest.map(Time),
                backlogged: backlog.waiting > BACKLOGGED,
            },
        }
    }
}

fn versioned(described: Described) -> Versioned<IntegrationView> {
    Versioned { version: described.integration.revision, view: described.into() }
}

/// An attempt to deliver.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryAttempt)]
pub struct AttemptView {
    /// When it was over.
    at: Time,
    /// The HTTP status; null when there was no answer.
    status: Option<u16>,
    /// What the destination answered, or why there was no answer.
    detail: String,
}

impl From<Attempt> for AttemptView {
    fn from(Attempt { at, status, detail }: Attempt) -> Self {
        Self { at: Time(at), status, detail }
    }
}

/// A delivery: what waits, is under way, or is over.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// Its place in the order of changes.
    id: u64,
    state: DeliveryState,
    /// Somebody sent it as a test event.
    test: bool,
    /// When the change was made.
    changed_at: Time,
    project_key: String,
    feature_key: String,
    environment_key: String,
    /// Who made the change.
    user_name: String,
    /// When it was delivered or had failed; null while it waits.
    settled_at: Option<Time>,
    attempts: Vec<AttemptView>,
}

impl From<Delivery> for DeliveryView {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.position,
            state: delivery.state,
            test: delivery.is_test,
            changed_at: Time(delivery.at),
            project_key: delivery.change.project_key,
            feature_key: delivery.change.feature_key,
            environment_key: delivery.change.environment_key,
            user_name: delivery.change.user_name,
            settled_at: delivery.settled_at.map(Time),
            attempts: delivery.attempts.into_iter().map(AttemptView::from).collect(),
        }
    }
}

/// How an analytics service is reached, as it is written.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAnalyticsConfiguration {
    /// The analytics project's API key. Blank or left out keeps the stored one.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 1000, write_only)]
    api_key: Option<Secret>,
    /// The analytics project's secret key. Blank or left out keeps the stored one.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 1000, write_only)]
    secret_key: Option<Secret>,
    /// The region of the analytics project: in the other one its keys are refused.
    region: Region,
    /// Left out: changes in every environment are delivered.
    filter: Option<Filter>,
}

/// How the destination is reached, as it is written.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConfiguration {
    analytics: NewAnalyticsConfiguration,
}

/// What an integration is set to. A creation needs both keys.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewOutboundIntegration)]
#[serde(deny_unknown_fields)]
pub struct IntegrationBody {
    #[serde(rename = "type")]
    kind: Kind,
    enabled: bool,
    configuration: NewConfiguration,
}

impl From<IntegrationBody> for NewIntegration {
    fn from(body: IntegrationBody) -> Self {
        let NewAnalyticsConfiguration { api_key, secret_key, region, filter } = body.configuration.analytics;
        let environment_ids = filter.unwrap_or_default().environment_ids;
        Self { kind: body.kind, enabled: body.enabled, api_key, secret_key, region, environment_ids }
    }
}

/// Lists the organisation's outbound integrations, oldest first.
#[utoipa::path(
    get,
    path = "/admin/integrations/outbound",
    tag = "Integrations",
    params(PageQuery),
    responses((status = 200, body = List<IntegrationView>)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<IntegrationView>>, Problem> {
    Ok(List::of(integrations::list(&app, &caller, &query.page()?).await?, IntegrationView::from))
}

/// Creates an outbound integration, which is told of what is changed from then on.
#[utoipa::path(
    post,
    path = "/admin/integrations/outbound",
    tag = "Integrations",
    params(IdempotencyKey),
    request_body = IntegrationBody,
    responses((status = 201, body = IntegrationView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Once { body, request }: Once<IntegrationBody>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let described = integrations::create(&mut operation, body.into()).await?;
        Reply::created(operation, &IntegrationView::from(described))
    })
    .await
}

/// Reads an outbound integration.
#[utoipa::path(
    get,
    path = "/admin/integrations/outbound/{id}",
    tag = "Integrations",
    params(("id" = String, Path)),
    responses((status = 200, body = IntegrationView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
) -> Result<Versioned<IntegrationView>, Problem> {
    Ok(versioned(integrations::read(&app, &caller, &id).await?))
}

/// Replaces what an outbound integration is set to. A key that is blank or left out stays; a filter that is left out is gone.
#[utoipa::path(
    put,
    path = "/admin/integrations/outbound/{id}",
    tag = "Integrations",
    params(("id" = String, Path), IfMatch),
    request_body = IntegrationBody,
    responses((status = 200, body = IntegrationView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    IfMatch(seen): IfMatch,
    Json(body): Json<IntegrationBody>,
) -> Result<Versioned<IntegrationView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let described = integrations::update(&mut operation, &id, (body.into(), seen)).await?;
    operation.commit().await?;
    Ok(versioned(described))
}

/// Deletes an outbound integration with what waits for it.
#[utoipa::path(
    delete,
    path = "/admin/integrations/outbound/{id}",
    tag = "Integrations",
    params(("id" = String, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    integrations::delete(&mut operation, &id, seen).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a synthetic flag change the way of all others, ahead of what waits, and tells what became of it, within 25 s.
#[utoipa::path(
    post,
    path = "/admin/integrations/outbound/{id}/test",
    tag = "Integrations",
    params(("id" = String, Path), IdempotencyKey),
    responses((status = 200, body = IntegrationView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn test(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    OnceBare(request): OnceBare,
) -> Result<Response, Problem> {
    let send = async { Ok(integrations::send_test(&app, &caller, &id).await?) };
    once_prepared(&app, &caller, request, send, async |mut operation, sent| {
        let described = integrations::keep_test(&mut operation, &id, sent).await?;
        let version = described.integration.revision;
        Reply::answer(operation, StatusCode::OK, Some(version), &IntegrationView::from(described))
    })
    .await
}

/// Lists the integration's deliveries with their attempts, newest first: all that wait, and the newest 1,000 of the others.
#[utoipa::path(
    get,
    path = "/admin/integrations/outbound/{id}/deliveries",
    tag = "Integrations",
    params(("id" = String, Path), PageQuery),
    responses((status = 200, body = List<DeliveryView>)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn deliveries(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<DeliveryView>>, Problem> {
    Ok(List::of(integrations::log(&app, &caller, &id, &query.page()?).await?, DeliveryView::from))
}
