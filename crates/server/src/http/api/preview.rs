//! `…/features/{featureKey}/environments/{environmentKey}/preview`: who would get what, and why.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use flagservice_rules::{Condition, RuleAudience, Targeting, User};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::app::resources::preview::{self, Preview, PreviewedRule};
use crate::app::{App, AppError};
use crate::http::api::targeting::TargetingReplacement;
use crate::http::extract::caller::Reader;
use crate::http::extract::json::Json;
use crate::http::extract::parameters::Path;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// For whom, when and by which targeting.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "user": { "id": "alice", "attributes": { "country": "DK" } }, "at": "2026-11-21T10:42:01Z", "targeting": { "enabled": true, "offVariantKey": "off", "rules": [{ "name": "A fifth of Danes", "conditions": [{ "attribute": "country", "operator": "equals", "values": ["DK"] }], "splits": [{ "variantKey": "on", "percentage": 20 }, { "variantKey": "off", "percentage": 80 }] }] } }))]
#[serde(deny_unknown_fields)]
pub struct PreviewQuestion {
    user: PreviewUser,
    /// Left out: now.
    at: Option<Time>,
    /// One that is not saved; left out: the one that is. Its comment counts for nothing.
    targeting: Option<TargetingReplacement>,
}

/// A user as a client sends one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewUser {
    /// Left out: somebody without an id.
    #[serde(default)]
    id: String,
    /// By name; a text, a number, true or false, or a list of these.
    #[serde(default)]
    #[schema(value_type = Object)]
    attributes: BTreeMap<String, Value>,
}

/// What the user gets, and why.
#[derive(Serialize, ToSchema)]
#[schema(as = Preview, example = json!({ "variantKey": "on", "enabled": true, "reason": "rule", "ruleIndex": 0, "ruleName": "A fifth of Danes", "bucket": 8214, "share": { "variantKey": "on", "from": 0, "to": 20000 }, "rules": [{ "index": 0, "name": "A fifth of Danes", "audienceKey": null, "matched": true, "conditions": [{ "attribute": "country", "operator": "equals", "values": ["DK"], "matched": true }] }] }))]
#[serde(rename_all = "camelCase")]
pub struct PreviewView {
    variant_key: Key,
    /// Whether targeting is on.
    enabled: bool,
    reason: PreviewReason,
    /// The rule that decides, counted from 0; null: none does.
    rule_index: Option<u32>,
    /// Its name, which may be empty; null: no rule decides.
    rule_name: Option<String>,
    /// Where the user is in the splits of every rule, in thousandths of a percent, 0 to 99999.
    bucket: u32,
    /// The part of the deciding rule's splits that the bucket is in; null: no rule decides.
    share: Option<ShareView>,
    rules: Vec<PreviewedRuleView>,
}

/// Why it is that variant.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PreviewReason {
    /// Targeting is off: the off variant.
    Off,
    /// A rule decides, the first that matches.
    Rule,
    /// No rule matches: the off variant.
    NoRule,
}

/// A part of a rule's splits, in thousandths of a percent.
#[derive(Serialize, ToSchema)]
#[schema(as = PreviewShare)]
#[serde(rename_all = "camelCase")]
pub struct ShareView {
    variant_key: Key,
    /// Its first bucket.
    from: u32,
    /// The first bucket beyond it, at most 100000.
    to: u32,
}

/// A rule, and whether it matches the user. While targeting is off, none does.
#[derive(Serialize, ToSchema)]
#[schema(as = PreviewedRule)]
#[serde(rename_all = "camelCase")]
pub struct PreviewedRuleView {
    index: usize,
    name: String,
    /// The saved audience whose conditions these are; null: the rule's own.
    audience_key: Option<Key>,
    matched: bool,
    conditions: Vec<PreviewedCondition>,
}

/// A condition, and whether it holds for the user.
#[derive(Serialize, ToSchema)]
pub struct PreviewedCondition {
    #[serde(flatten)]
    condition: Condition,
    matched: bool,
}

impl From<Preview> for PreviewView {
    fn from(preview: Preview) -> Self {
        let Preview { variant, enabled, rule, bucket, share, rules } = preview;
        let deciding = rule.and_then(|index| rules.get(usize::try_from(index).ok()?));
        Self {
            variant_key: variant,
            enabled,
            reason: match rule {
                Some(_) => PreviewReason::Rule,
                None if enabled => PreviewReason::NoRule,
                None => PreviewReason::Off,
            },
            rule_index: rule,
            rule_name: deciding.map(|deciding| deciding.rule.name.clone()),
            bucket,
            share: share.map(|(variant_key, from, to)| ShareView { variant_key, from, to }),
            rules: rules.into_iter().enumerate().map(previewed).collect(),
        }
    }
}

fn previewed((index, PreviewedRule { rule, conditions, matched }): (usize, PreviewedRule)) -> PreviewedRuleView {
    let condition = |(condition, matched)| PreviewedCondition { condition, matched };
    PreviewedRuleView {
        index,
        name: rule.name,
        audience_key: match rule.audience {
            RuleAudience::Saved(key) => Some(key),
            RuleAudience::Inline(_) => None,
        },
        matched,
        conditions: conditions.into_iter().map(condition).collect(),
    }
}

/// Evaluates a feature's targeting in an environment, saved or not, for a user, and tells why. Nothing is written.
#[utoipa::path(post, path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview", tag = "Targeting", params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path)), request_body = PreviewQuestion, responses((status = 200, body = PreviewView)), security(("personalAccessToken" = ["readOnly"])))]
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature, environment)): Path<(String, String, String)>,
    Json(question): Json<PreviewQuestion>,
) -> Result<axum::Json<PreviewView>, Problem> {
    let PreviewUser { id, attributes } = question.user;
    // Read as a client's user is, which drops what conditions cannot look at.
    let user: User = serde_json::from_value(json!({ "id": id, "attributes": attributes }))
        .map_err(|error| AppError::Internal(error.into()))?;
    let question = preview::PreviewRequest {
        user,
        at: question.at.map(|time| time.0),
        targeting: question.targeting.map(|draft| Targeting {
            enabled: draft.enabled,
            off_variant: draft.off_variant_key,
            rules: draft.rules,
        }),
    };
    Ok(axum::Json(preview::preview(&app, &caller, (&project, &feature, &environment), question).await?.into()))
}
