//! Integrations and their deliveries as responses show them, without keys and URLs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::delivery::integrations::{BACKLOGGED, IntegrationDetails};
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::EnvironmentId;
use crate::domain::integration::{Integration, Kind, Region};
use crate::http::extract::time::Time;

/// Which changes are delivered.
#[derive(Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Filter {
    /// Ids of environments whose changes are delivered. Leave empty for all.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required = false)]
    pub(super) environment_ids: Vec<EnvironmentId>,
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
    pub(super) signing_secret: Option<String>,
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
