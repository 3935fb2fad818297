//! The texts of annotations and messages as JSON, for the fuzz targets: deliveries write the same.

use flagservice_rules::Instant;
use serde_json::{Value, json};

use crate::analytics::annotation::Annotation;
use crate::analytics::message::{Link, Message};
use crate::analytics::slack::SlackMessage;
use crate::domain::changes::flag_change::Announcement;

/// The annotation of an announcement. Its link starts with `public_url`.
pub fn annotation(announcement: &Announcement, at: Instant, public_url: &str) -> Value {
    json!(Annotation::new(&Message { id: "", announcement, at, link: Link::Subject }, public_url))
}

/// The message for Slack of an announcement. Its link starts with `public_url`.
pub fn slack_message(announcement: &Announcement, at: Instant, public_url: &str) -> Value {
    json!(SlackMessage::new(&Message { id: "", announcement, at, link: Link::Subject }, public_url))
}
