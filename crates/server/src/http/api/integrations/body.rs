//! The settings of an integration as requests write them.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppError;
use crate::app::delivery::integrations::{NewIntegration, NewSettings};
use crate::domain::integration::{Kind, Region};
use crate::http::api::integrations::views::Filter;
use crate::secret::Secret;

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
