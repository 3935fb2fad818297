//! `…/features/{featureKey}/environments/{environmentKey}/preview`: which variant a user gets, and why.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use flagservice_rules::{Condition, Operator, RuleAudience, Targeting, User, Value as ConditionValue};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::app::resources::preview::{self, Preview, PreviewedRule};
use crate::app::{App, AppError, TargetingRef};
use crate::http::api::targeting::TargetingReplacement;
use crate::http::extract::caller::Reader;
use crate::http::extract::json::Json;
use crate::http::extract::parameters::Path;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;
use crate::http::sdk::body_limits::LOAD_BODY;

/// The user, time and targeting to evaluate.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewQuestion {
    user: PreviewUser,
    /// Default: now.
    at: Option<Time>,
    /// Unsaved targeting to evaluate; its comment is ignored. Default: the saved targeting.
    targeting: Option<TargetingReplacement>,
}

/// A user, in the form that clients send.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewUser {
    /// Default: a user without an id.
    #[serde(default)]
    id: String,
    /// Attributes by name. A value is a string, a number, a boolean, or a list of these.
    #[serde(default)]
    attributes: BTreeMap<String, Value>,
}

/// The variant that the user gets, and why.
#[derive(Serialize, ToSchema)]
#[schema(as = Preview)]
#[serde(rename_all = "camelCase")]
pub struct PreviewView {
    variant_key: Key,
    /// Whether targeting is on.
    enabled: bool,
    reason: PreviewReason,
    /// The index of the first matching rule, from 0. Null if no rule matches.
    rule_index: Option<u32>,
    /// The name of that rule, which may be empty. Null if no rule matches.
    rule_name: Option<String>,
    /// The user's position in the split of every rule, in thousandths of a percent, 0 to 99999.
    bucket: u32,
    /// The range of the matching rule's split that contains the bucket. Null if no rule matches.
    share: Option<ShareView>,
    rules: Vec<PreviewedRuleView>,
}

/// Why the user gets the variant.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PreviewReason {
    /// Targeting is off: the off variant.
    Off,
    /// The first matching rule serves the variant.
    Rule,
    /// No rule matches: the off variant.
    NoRule,
}

/// A variant's range of buckets in a rule's split, in thousandths of a percent.
#[derive(Serialize, ToSchema)]
#[schema(as = PreviewShare)]
#[serde(rename_all = "camelCase")]
pub struct ShareView {
    variant_key: Key,
    /// The first bucket.
    from: u32,
    /// The first bucket after the range, at most 100000.
    to: u32,
}

/// A rule, and whether it matches the user. No rule matches while targeting is off.
#[derive(Serialize, ToSchema)]
#[schema(as = PreviewedRule)]
#[serde(rename_all = "camelCase")]
pub struct PreviewedRuleView {
    index: usize,
    name: String,
    /// The saved audience that the conditions come from. Null if they are the rule's own.
    audience_key: Option<Key>,
    matched: bool,
    conditions: Vec<PreviewedCondition>,
}

/// A condition, and whether the user matches it.
#[derive(Serialize, ToSchema)]
pub struct PreviewedCondition {
    attribute: String,
    operator: Operator,
    values: Vec<ConditionValue>,
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
    let condition = |(condition, matched)| {
        let Condition { attribute, operator, values } = condition;
        PreviewedCondition { attribute, operator, values, matched }
    };
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

/// Evaluates saved or unsaved targeting for a user and explains the result. Changes nothing.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview",
    operation_id = "previewTargeting",
    tag = "Targeting",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path)),
    request_body = PreviewQuestion,
    responses((status = 200, body = PreviewView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature, environment)): Path<(String, String, String)>,
    Json(question): Json<PreviewQuestion>,
) -> Result<axum::Json<PreviewView>, Problem> {
    let PreviewUser { id, attributes } = question.user;
    let user = json!({ "id": id, "attributes": attributes });
    if user.to_string().len() > LOAD_BODY {
        let detail = format!(
            "A user has at most {} KiB, as in the requests of clients. Leave some attributes out.",
            LOAD_BODY / 1024
        );
        return Err(AppError::invalid("/user", detail).into());
    }
    // Parsed like a client's user, which drops attribute values that conditions can't use.
    let user: User = serde_json::from_value(user).map_err(|error| AppError::Internal(error.into()))?;
    let question = preview::PreviewRequest {
        user,
        at: question.at.map(|time| time.0),
        targeting: question.targeting.map(|draft| Targeting {
            enabled: draft.enabled,
            off_variant: draft.off_variant_key,
            rules: draft.rules,
        }),
    };
    let address = TargetingRef { project: &project, feature: &feature, environment: &environment };
    Ok(axum::Json(preview::preview(&app, &caller, address, question).await?.into()))
}
