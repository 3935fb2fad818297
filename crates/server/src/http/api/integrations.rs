//! `/api/v1/admin/integrations/outbound`: destinations that receive an organisation's feature changes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::delivery::integrations::{self, BACKLOGGED, IntegrationDetails, NewIntegration};
use crate::app::{App, Edit, Operation};
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::EnvironmentId;
use crate::domain::integration::{Integration, Kind, Region};
use crate::http::extract::caller::Administrator;
use crate::http::extract::idempotency::{IdempotencyKey, Once, OnceWithoutBody, Reply, once, once_prepared};
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
    /// Ids of environments whose changes are delivered. Leave empty for all.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required = false)]
    environment_ids: Vec<EnvironmentId>,
}

/// The settings of an analytics service, without its keys.
#[derive(Serialize, ToSchema)]
pub struct AnalyticsConfiguration {
    region: Region,
    filter: Filter,
}

/// The settings of the destination.
#[derive(Serialize, ToSchema)]
pub struct Configuration {
    analytics: AnalyticsConfiguration,
}

/// The changes that wait for delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BacklogView {
    /// The number of waiting changes.
    waiting: u64,
    /// When the oldest waiting change was made; null if none is waiting.
    oldest_change_at: Option<Time>,
    /// Whether more than 10,000 changes are waiting.
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
    /// Always true: the integration exists.
    installed: bool,
    /// Whether it is enabled and the last delivery did not fail.
    delivering: bool,
    /// When the last delivery ended; null before the first.
    last_delivery_at: Option<Time>,
    last_delivery_success: Option<bool>,
    /// The HTTP status and response of the destination, or why there was none.
    last_delivery_detail: Option<String>,
    backlog: BacklogView,
}

impl From<IntegrationDetails> for IntegrationView {
    fn from(IntegrationDetails { integration, backlog }: IntegrationDetails) -> Self {
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

fn versioned(described: IntegrationDetails) -> Versioned<IntegrationView> {
    Versioned { version: described.integration.revision, view: described.into() }
}

/// A delivery attempt.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryAttempt)]
pub struct AttemptView {
    /// When the attempt ended.
    at: Time,
    /// The HTTP status; null if there was no response.
    status: Option<u16>,
    /// The response of the destination, or why there was none.
    detail: String,
}

impl From<Attempt> for AttemptView {
    fn from(Attempt { at, status, detail }: Attempt) -> Self {
        Self { at: Time(at), status, detail }
    }
}

/// A delivery: waiting, in progress or finished.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// Its position in the order of changes.
    id: u64,
    state: DeliveryState,
    /// Whether it is a test event.
    test: bool,
    /// When the change was made.
    changed_at: Time,
    project_key: String,
    feature_key: String,
    environment_key: String,
    /// The person who made the change.
    user_name: String,
    /// When it was delivered or failed; null while it is waiting.
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

/// The settings of an analytics service to write.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAnalyticsConfiguration {
    /// The analytics project's API key. Leave blank to keep the stored key.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 1000, write_only)]
    api_key: Option<Secret>,
    /// The analytics project's secret key. Leave blank to keep the stored key.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 1000, write_only)]
    secret_key: Option<Secret>,
    /// The region of the analytics project. Its keys work only there.
    region: Region,
    /// Default: changes in every environment are delivered.
    filter: Option<Filter>,
}

/// The settings of the destination to write.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConfiguration {
    analytics: NewAnalyticsConfiguration,
}

/// The settings of an integration. Both keys are required to create one.
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

/// A region of the analytics service.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalyticsRegion)]
pub struct RegionView {
    region: Region,
    /// Whether the server has the region's address. Integrations in a region that is not available are refused.
    available: bool,
}

/// The regions of the analytics service.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalyticsRegions)]
pub struct RegionsView {
    /// All regions.
    regions: Vec<RegionView>,
}

/// Reads in which regions of the analytics service this server can deliver.
#[utoipa::path(
    get,
    path = "/admin/integrations/regions",
    operation_id = "readRegions",
    tag = "Integrations",
    responses((status = 200, body = RegionsView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn regions(State(app): State<Arc<App>>, _: Administrator) -> axum::Json<RegionsView> {
    let view = |region| RegionView { region, available: app.outbound.address(region).is_some() };
    axum::Json(RegionsView { regions: Region::ALL.map(view).into() })
}

/// Lists the organisation's outbound integrations, oldest first.
#[utoipa::path(
    get,
    path = "/admin/integrations/outbound",
    operation_id = "listIntegrations",
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
    Ok(List::from_page(integrations::list(&app, &caller, &query.page()?).await?, IntegrationView::from))
}

/// Creates an outbound integration. It receives changes made from then on.
#[utoipa::path(
    post,
    path = "/admin/integrations/outbound",
    operation_id = "createIntegration",
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
    operation_id = "readIntegration",
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

/// Replaces the settings of an outbound integration. Blank or missing keys are kept; a missing filter is removed.
#[utoipa::path(
    put,
    path = "/admin/integrations/outbound/{id}",
    operation_id = "replaceIntegration",
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
    IfMatch(if_match): IfMatch,
    Json(body): Json<IntegrationBody>,
) -> Result<Versioned<IntegrationView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let described = integrations::update(&mut operation, &id, Edit { fields: body.into(), if_match }).await?;
    operation.commit().await?;
    Ok(versioned(described))
}

/// Deletes an outbound integration and its waiting deliveries.
#[utoipa::path(
    delete,
    path = "/admin/integrations/outbound/{id}",
    operation_id = "deleteIntegration",
    tag = "Integrations",
    params(("id" = String, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    integrations::delete(&mut operation, &id, if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test change ahead of waiting deliveries and reports the result within 25 s.
#[utoipa::path(
    post,
    path = "/admin/integrations/outbound/{id}/test",
    operation_id = "sendTestEvent",
    tag = "Integrations",
    params(("id" = String, Path), IdempotencyKey),
    responses((status = 200, body = IntegrationView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn test(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    OnceWithoutBody(request): OnceWithoutBody,
) -> Result<Response, Problem> {
    let send = async { Ok(integrations::send_test(&app, &caller, &id).await?) };
    once_prepared(&app, &caller, request, send, async |mut operation, (change, sent)| {
        let described = integrations::keep_test(&mut operation, &id, change, sent).await?;
        let version = described.integration.revision;
        Reply::json(operation, StatusCode::OK, Some(version), &IntegrationView::from(described))
    })
    .await
}

/// Lists the integration's deliveries with their attempts, newest first: all waiting and the newest 1,000 finished ones.
#[utoipa::path(
    get,
    path = "/admin/integrations/outbound/{id}/deliveries",
    operation_id = "listDeliveries",
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
    Ok(List::from_page(integrations::log(&app, &caller, &id, &query.page()?).await?, DeliveryView::from))
}
