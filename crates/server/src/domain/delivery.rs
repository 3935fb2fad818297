//! Deliveries to an integration: annotations, webhooks and messages.

use std::fmt;

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::domain::changes::flag_change::Announcement;
use crate::domain::ids::IntegrationId;
use crate::random::{self, Random};
use crate::secret;

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryState {
    /// It waits for its turn, or is under way.
    Waiting,
    /// The destination took it.
    Delivered,
    /// The destination did not take it, and it is not tried again.
    Failed,
}

impl DeliveryState {
    const ALL: [Self; 3] = [Self::Waiting, Self::Delivered, Self::Failed];

    /// The word for it in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for DeliveryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for DeliveryState {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or_else(|| format!("unknown state '{text}'"))
    }
}

/// One attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it was over, in milliseconds since 1970.
    pub at: Instant,
    /// The HTTP status that was answered; none when there was no answer.
    pub status: Option<u16>,
    /// What the destination answered, or why there was no answer.
    pub detail: String,
}

/// What the ids of messages begin with.
const MESSAGE_ID_PREFIX: &str = "msg_";

/// A delivery.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Where to.
    pub integration_id: IntegrationId,
    /// Its place in the order of changes.
    pub position: u64,
    /// Which change it is of; no integration has two of one.
    pub entry: String,
    /// When the change was made, or the approval requested or decided.
    pub at: Instant,
    /// What the integration is told, as in the outbox.
    pub announcement: Announcement,
    /// Whether somebody asked for it, to see whether it arrives.
    pub is_test: bool,
    /// Where it stands.
    pub state: DeliveryState,
    /// The attempts so far.
    pub attempts: Vec<Attempt>,
    /// When it was delivered or had failed.
    pub settled_at: Option<Instant>,
}

impl Delivery {
    /// The id that its requests have. It is made of the change's, which is random: after a restore of the database, a delivery that
    /// is sent again has the same, and another one another.
    pub fn message_id(&self) -> String {
        format!("{MESSAGE_ID_PREFIX}{}", secret::hash(&format!("{} {}", self.integration_id, self.entry)))
    }

    /// The id of a message that is no stored delivery.
    pub fn new_message_id(random: &dyn Random, now: Instant) -> String {
        format!("{MESSAGE_ID_PREFIX}{}", random::uuid(random, now))
    }
}

/// What waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// How many deliveries.
    pub waiting: u64,
    /// When the change was made that waits the longest.
    pub oldest: Option<Instant>,
}
