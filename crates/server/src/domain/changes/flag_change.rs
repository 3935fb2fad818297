//! What the outbox and deliveries store of a change: the payload that streams and integrations read.

use serde::{Deserialize, Serialize};

use crate::domain::approval::ApprovalState;
use crate::domain::ids::ApprovalId;

/// One aspect of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Aspect {
    /// The feature was created.
    Created,
    /// The lifecycle status changed: Draft, Active or Archived.
    Lifecycle,
    /// Targeting was switched on.
    Enabled,
    /// Targeting was switched off.
    Disabled,
    /// Another variant is served while targeting is off or no rule matches.
    OffVariant,
    /// A rule was added.
    RuleAdded,
    /// A rule got another audience or another position.
    RuleEdited,
    /// A rule was removed.
    RuleRemoved,
    /// A rule's splits have other percentages or variants.
    RolloutPercentage,
    /// The feature's settings changed, such as its variants. Only of a change that waits for an approval.
    Settings,
    /// The feature is deleted. Only of a change that waits for an approval.
    Deleted,
    /// An aspect that a later release added.
    #[serde(other)]
    Other,
}

/// A change in one environment, as the database stores it in JSON. Its shape is recognised by its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FlagChange {
    /// A feature or its targeting changed.
    Feature(FeatureChange),
    /// A feature has other variants, and its targeting in this environment is the same.
    #[serde(rename_all = "camelCase")]
    Variants {
        /// The feature.
        feature_key: String,
    },
    /// The environment itself changed, such as its client keys.
    #[serde(rename_all = "camelCase")]
    Environment {
        /// The environment.
        environment_key: String,
    },
    /// An approval was requested or decided; nothing is served differently. Releases before 2.6 read it as unknown.
    Approval {
        /// What happened.
        approval: ApprovalNotice,
    },
    /// Written by another release, in a shape that this one does not know: nothing is announced.
    Unknown(serde_json::Map<String, serde_json::Value>),
}

/// A change of a feature or its targeting, with the names that its annotation shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureChange {
    /// What changed.
    pub aspects: Vec<Aspect>,
    /// The feature.
    pub feature_key: String,
    /// Its name at the time of the change.
    pub feature_name: String,
    /// The project.
    pub project_key: String,
    /// The environment.
    pub environment_key: String,
    /// Its name at the time of the change.
    pub environment_name: String,
    /// The name of the person who made the change.
    pub user_name: String,
    /// Why targeting was switched off without the approval that it needs. Earlier releases do not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_glass: Option<String>,
    /// From what to what it changed, at most [`MAX_TRANSITIONS`] and one more. Earlier releases write none and ignore them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<Transition>,
}

impl FeatureChange {
    /// Whether it is a change of the feature itself, which is one for all environments.
    pub fn is_everywhere(&self) -> bool {
        let is_of_feature = |aspect: &Aspect| matches!(aspect, Aspect::Lifecycle | Aspect::Settings | Aspect::Deleted);
        self.aspects.iter().any(is_of_feature)
    }
}

/// How many transitions of a change annotations show.
pub const MAX_TRANSITIONS: usize = 10;

/// From what to what an aspect changed: the lifecycle status, the off variant, or a percentage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transition {
    /// The aspect.
    pub aspect: Aspect,
    /// The rule and the variant that the values belong to, such as `Beta testers: red`. Empty if they are clear.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// The value before.
    pub from: String,
    /// The value after.
    pub to: String,
}

impl FlagChange {
    /// What integrations get of it. A new feature, its name and its tags change nothing for users.
    pub fn announced(&self) -> Option<Announcement> {
        match self {
            Self::Feature(change) if change.aspects.iter().any(|aspect| *aspect != Aspect::Created) => {
                Some(Announcement::Feature(change.clone()))
            }
            Self::Approval { approval } => Some(Announcement::Approval { approval: approval.clone() }),
            Self::Feature(_) | Self::Variants { .. } | Self::Environment { .. } | Self::Unknown(_) => None,
        }
    }
}

/// What an integration gets, as deliveries store it in JSON. Its shape is recognised by its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Announcement {
    /// A feature or its targeting changed.
    Feature(FeatureChange),
    /// An approval was requested or decided.
    Approval {
        /// What happened.
        approval: ApprovalNotice,
    },
}

impl Announcement {
    /// What changed, or would change after an approval. Its person is the one who did it: changed, requested or decided.
    pub fn change(&self) -> &FeatureChange {
        match self {
            Self::Feature(change) => change,
            Self::Approval { approval } => &approval.change,
        }
    }

    /// The approval that it is about, if it is about one.
    pub fn approval(&self) -> Option<&ApprovalNotice> {
        match self {
            Self::Feature(_) => None,
            Self::Approval { approval } => Some(approval),
        }
    }

    /// The name of its type in JSON, such as `feature.changed`.
    pub fn event(&self) -> &'static str {
        match self.approval().map(|approval| approval.state) {
            None => "feature.changed",
            Some(ApprovalState::Pending) => "approval.requested",
            Some(ApprovalState::Scheduled | ApprovalState::Approved | ApprovalState::Rejected) => "approval.decided",
            Some(ApprovalState::Cancelled) => "approval.withdrawn",
            Some(ApprovalState::Stale) => "approval.stale",
        }
    }
}

/// A step of a request for an approval, with the names that a message shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalNotice {
    /// The approval.
    pub approval_id: ApprovalId,
    /// Where it stands now.
    pub state: ApprovalState,
    /// The change that was requested, and the person who requested it or decided.
    pub change: FeatureChange,
    /// The name of the person who requested it.
    pub requester_name: String,
    /// What the requester said of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What the person who decided said, or why the request is stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::FlagChange;

    #[test]
    fn a_stored_change_of_each_shape_reads_back_as_it_was_written() {
        for stored in [
            json!({
                "aspects": ["enabled", "rolloutPercentage"], "featureKey": "checkout", "featureName": "Checkout",
                "projectKey": "shop", "environmentKey": "live", "environmentName": "Live", "userName": "Ada",
            }),
            json!({
                "aspects": ["rolloutPercentage"], "featureKey": "checkout", "featureName": "Checkout",
                "projectKey": "shop", "environmentKey": "live", "environmentName": "Live", "userName": "Ada",
                "transitions": [
                    { "aspect": "rolloutPercentage", "from": "0%", "to": "50%" },
                    { "aspect": "rolloutPercentage", "of": "rest: red", "from": "10%", "to": "5%" },
                ],
            }),
            json!({ "featureKey": "checkout" }),
            json!({ "environmentKey": "live" }),
            json!({
                "approval": {
                    "approvalId": "019aa5c0", "state": "rejected", "requesterName": "Ada", "reason": "Not now.",
                    "change": {
                        "aspects": ["deleted"], "featureKey": "checkout", "featureName": "Checkout", "projectKey": "shop",
                        "environmentKey": "live", "environmentName": "Live", "userName": "Eve",
                    },
                },
            }),
            json!({}),
        ] {
            let change: FlagChange = serde_json::from_value(stored.clone()).unwrap();
            assert_eq!(serde_json::to_value(change).unwrap(), stored);
        }
    }
    /// Adjacent releases share a database: each ignores what the other adds, and announces the change.
    #[test]
    fn a_change_without_transitions_or_with_more_fields_is_read_and_announced() {
        let mut stored = json!({
            "aspects": ["enabled"], "featureKey": "checkout", "featureName": "Checkout", "projectKey": "shop",
            "environmentKey": "live", "environmentName": "Live", "userName": "Ada",
        });
        let old: FlagChange = serde_json::from_value(stored.clone()).unwrap();
        assert!(old.announced().is_some_and(|told| told.change().transitions.is_empty()));
        stored["transitions"] = json!([{ "aspect": "enabled", "from": "off", "to": "on", "more": 1 }]);
        stored["later"] = json!({ "more": true });
        let new: FlagChange = serde_json::from_value(stored).unwrap();
        assert_eq!(new.announced().map(|told| told.change().transitions.len()), Some(1));
    }
}
