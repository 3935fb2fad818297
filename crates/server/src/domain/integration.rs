//! Outbound integrations.

use std::fmt;

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{EnvironmentId, IntegrationId, OrganisationId};

/// What kind of destination it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = IntegrationType)]
pub enum Kind {
    /// An analytics service's chart annotations.
    Analytics,
    /// A service of the organisation, which gets signed requests.
    Webhook,
    /// An incoming webhook of Slack, or of a service that takes the same messages.
    Slack,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Analytics, Self::Webhook, Self::Slack];

    /// The word for it in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analytics => "analytics",
            Self::Webhook => "webhook",
            Self::Slack => "slack",
        }
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| format!("unknown type '{text}'"))
    }
}

/// Which of the analytics service's regions an account is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Region {
    /// The United States.
    Us,
    /// The European Union.
    Eu,
}

impl Region {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Us, Self::Eu];
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Us => "US",
            Self::Eu => "EU",
        })
    }
}

impl TryFrom<String> for Region {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "US" => Ok(Self::Us),
            "EU" => Ok(Self::Eu),
            _ => Err(format!("unknown region '{text}'")),
        }
    }
}

/// The result of the newest delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When it was settled.
    pub at: Instant,
    /// Whether the destination took it.
    pub success: bool,
    /// What the destination answered, or why there was no answer.
    pub detail: String,
}

/// An outbound integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integration {
    /// Its id.
    pub id: IntegrationId,
    /// Its organisation.
    pub organisation_id: OrganisationId,
    /// What kind of destination it has.
    pub kind: Kind,
    /// Whether changes are delivered.
    pub enabled: bool,
    /// Picks the address of an analytics service. It means nothing for other destinations.
    pub region: Region,
    /// The keys of an analytics service, or the URL and the secret of another destination, encrypted.
    pub credentials: String,
    /// Only changes in these are delivered; none listed: in all.
    pub environment_ids: Vec<EnvironmentId>,
    /// The result of the newest delivery; none before the first.
    pub last: Option<Outcome>,
    /// Raised by each edit.
    pub revision: u64,
}

/// Which node delivers, as a node has seen it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The node; empty: nobody.
    pub holder: String,
    /// Raised by each new holder.
    pub fence: u64,
    /// Increased by each heartbeat of the holder.
    pub beat: u64,
}
