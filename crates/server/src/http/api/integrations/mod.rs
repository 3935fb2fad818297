//! `/api/v1/admin/integrations/outbound`: destinations that receive an organisation's feature changes.

mod body;
mod views;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::delivery::integrations::{self, IntegrationDetails};
use crate::app::{App, Edit, Operation};
use crate::domain::integration::Region;
use crate::http::api::integrations::body::IntegrationBody;
use crate::http::api::integrations::views::{DeliveryView, IntegrationView};
use crate::http::extract::caller::Administrator;
use crate::http::extract::idempotency::{IdempotencyKey, Once, OnceWithoutBody, Reply, once, once_prepared, text};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// A new signing secret.
#[derive(Serialize, ToSchema)]
#[schema(as = SigningSecret)]
#[serde(rename_all = "camelCase")]
pub struct SigningSecretView {
    /// `whsec_` and the key in base64, as the libraries of Standard Webhooks take it. Not in the response to a repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    signing_secret: Option<String>,
}

fn versioned(described: IntegrationDetails) -> Versioned<IntegrationView> {
    Versioned { version: described.integration.revision, view: described.into() }
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

/// Creates an outbound integration. It receives changes made from then on. Only this response shows the signing secret of a
/// webhook; a repeat with the same Idempotency-Key does not.
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
        let (described, secret) = integrations::create(&mut operation, body.try_into()?).await?;
        let mut view = IntegrationView::from(described);
        let stored = text(&view)?;
        view.signing_secret = secret.map(|secret| secret.reveal().to_owned());
        Ok(Reply::created_with_secret(operation, stored, text(&view)?))
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

/// Replaces the settings of an outbound integration, except its type and its signing secret. Blank or missing keys and URLs are
/// kept; a missing filter is removed.
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
    let described = integrations::update(&mut operation, &id, Edit { fields: body.try_into()?, if_match }).await?;
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

/// Replaces the secret that signs a webhook's requests. Only this response shows it; a repeat with the same Idempotency-Key does
/// not. For 24 h, requests have the signatures of both secrets, so that the receiver can change over.
#[utoipa::path(
    post,
    path = "/admin/integrations/outbound/{id}/secret",
    operation_id = "replaceSigningSecret",
    tag = "Integrations",
    params(("id" = String, Path), IdempotencyKey),
    responses((status = 200, body = SigningSecretView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn rotate_secret(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    OnceWithoutBody(request): OnceWithoutBody,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let (version, secret) = integrations::rotate_secret(&mut operation, &id).await?;
        let stored = text(&SigningSecretView { signing_secret: None })?;
        let shown = text(&SigningSecretView { signing_secret: Some(secret.reveal().to_owned()) })?;
        Ok(Reply::with_secret(operation, version, stored, shown))
    })
    .await
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
