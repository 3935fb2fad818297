//! `/api/v1/admin/integrations/outbound`: destinations that receive an organisation's feature changes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::delivery::integrations::{self, BACKLOGGED, IntegrationDetails, NewIntegration, NewSettings};
use crate::app::{App, AppError, Edit, Operation};
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::EnvironmentId;
use crate::domain::integration::{Integration, Kind, Region};
use crate::http::extract::caller::Administrator;
use crate::http::extract::idempotency::{IdempotencyKey, Once, OnceWithoutBody, Reply, once, once_prepared, text};
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

/// The settings of a webhook, without its URL and its signing secret.
#[derive(Serialize, ToSchema)]
pub struct HookConfiguration {
    /// The scheme, host and port of the URL, whose rest is secret; null if the stored URL cannot be decrypted.
    origin: Option<String>,
    filter: Filter,
}

/// The settings of the destination, under the name of its type.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Configuration {
    /// An analytics project.
    Analytics(AnalyticsConfiguration),
    /// A service that gets signed requests.
    Webhook(HookConfiguration),
    /// An incoming webhook of Slack.
    Slack(HookConfiguration),
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
    /// The secret that signs a webhook's requests, only in the response that creates the webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    signing_secret: Option<String>,
}

impl From<IntegrationDetails> for IntegrationView {
    fn from(IntegrationDetails { integration, backlog, origin }: IntegrationDetails) -> Self {
        let Integration { id, kind, enabled, region, environment_ids, last, .. } = integration;
        let filter = Filter { environment_ids };
        let configuration = match kind {
            Kind::Analytics => Configuration::Analytics(AnalyticsConfiguration { region, filter }),
            Kind::Webhook => Configuration::Webhook(HookConfiguration { origin, filter }),
            Kind::Slack => Configuration::Slack(HookConfiguration { origin, filter }),
        };
        Self {
            id: id.to_string(),
            kind,
            enabled,
            configuration,
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
            signing_secret: None,
        }
    }
}

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
    /// What it is about: `feature.changed`, `approval.requested`, `approval.decided`, `approval.withdrawn` or `approval.stale`.
    #[serde(rename = "type")]
    event: &'static str,
    /// Whether it is a test event.
    test: bool,
    /// The approval; null for changes.
    approval_id: Option<String>,
    /// When the change was made, or the approval requested or decided.
    changed_at: Time,
    project_key: String,
    feature_key: String,
    environment_key: String,
    /// The person who made the change, or requested or decided on the approval.
    user_name: String,
    /// When it was delivered or failed; null while it is waiting.
    settled_at: Option<Time>,
    attempts: Vec<AttemptView>,
}

impl From<Delivery> for DeliveryView {
    fn from(delivery: Delivery) -> Self {
        let change = delivery.announcement.change();
        Self {
            id: delivery.position,
            state: delivery.state,
            event: delivery.announcement.event(),
            test: delivery.is_test,
            approval_id: delivery.announcement.approval().map(|approval| approval.approval_id.to_string()),
            changed_at: Time(delivery.at),
            project_key: change.project_key.clone(),
            feature_key: change.feature_key.clone(),
            environment_key: change.environment_key.clone(),
            user_name: change.user_name.clone(),
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

/// The settings of a webhook to write.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewHookConfiguration {
    /// Where requests are sent, with https. It is stored encrypted. Leave blank to keep the stored URL.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 2000, write_only)]
    url: Option<Secret>,
    /// Default: changes in every environment are delivered.
    filter: Option<Filter>,
}

/// The settings of the destination to write, under the name of the integration's type and no other.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConfiguration {
    #[schema(nullable = false)]
    analytics: Option<NewAnalyticsConfiguration>,
    #[schema(nullable = false)]
    webhook: Option<NewHookConfiguration>,
    #[schema(nullable = false)]
    slack: Option<NewHookConfiguration>,
}

/// The settings of an integration. Both keys, or the URL, are required to create one.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewOutboundIntegration)]
#[serde(deny_unknown_fields)]
pub struct IntegrationBody {
    #[serde(rename = "type")]
    kind: Kind,
    enabled: bool,
    configuration: NewConfiguration,
}

impl TryFrom<IntegrationBody> for NewIntegration {
    type Error = AppError;

    fn try_from(IntegrationBody { kind, enabled, configuration }: IntegrationBody) -> Result<Self, AppError> {
        let missing = || {
            let detail = format!("An integration of the type {} needs these settings.", kind.as_str());
            AppError::invalid(&format!("/configuration/{}", kind.as_str()), detail)
        };
        let NewConfiguration { analytics, webhook, slack } = configuration;
        let present = [
            (Kind::Analytics, analytics.is_some()),
            (Kind::Webhook, webhook.is_some()),
            (Kind::Slack, slack.is_some()),
        ];
        if let Some((other, _)) = present.into_iter().find(|(other, present)| *present && *other != kind) {
            let detail = format!("The type is {}. Remove the settings of another type.", kind.as_str());
            return Err(AppError::invalid(&format!("/configuration/{}", other.as_str()), detail));
        }
        let (settings, filter) = match kind {
            Kind::Analytics => {
                let NewAnalyticsConfiguration { api_key, secret_key, region, filter } =
                    analytics.ok_or_else(missing)?;
                (NewSettings::Analytics { api_key, secret_key, region }, filter)
            }
            Kind::Webhook => {
                let NewHookConfiguration { url, filter } = webhook.ok_or_else(missing)?;
                (NewSettings::Webhook { url }, filter)
            }
            Kind::Slack => {
                let NewHookConfiguration { url, filter } = slack.ok_or_else(missing)?;
                (NewSettings::Slack { url }, filter)
            }
        };
        Ok(Self { enabled, settings, environment_ids: filter.unwrap_or_default().environment_ids })
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
