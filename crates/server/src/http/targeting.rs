//! `/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}`: a feature's targeting.

use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use flagservice_rules::{Rule, Targeting};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::caller::{Reader, Writer};
use super::json::Json;
use super::parameters::Path;
use super::problem::Problem;
use super::version::{IfMatch, Versioned};
use crate::app::targeting::{self, StoredTargeting};
use crate::app::{Actor, App};

/// A targeting with its version.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "enabled": true, "offVariantKey": "off", "rules": [{ "name": "A fifth of Danes", "conditions": [{ "attribute": "country", "operator": "equals", "values": ["DK"] }], "splits": [{ "variantKey": "on", "percentage": 20 }, { "variantKey": "off", "percentage": 80 }] }], "version": 17 }))]
#[serde(rename_all = "camelCase")]
pub struct TargetingView {
    enabled: bool,
    off_variant_key: Key,
    rules: Vec<Rule>,
    version: u64,
}

/// What changes a targeting; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "enabled": false }))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetingEdit {
    enabled: Option<bool>,
    off_variant_key: Option<Key>,
    rules: Option<Vec<Rule>>,
}

type Address = Path<(String, String, String)>;

fn versioned(stored: StoredTargeting) -> Versioned<TargetingView> {
    let StoredTargeting { targeting: Targeting { enabled, off_variant, rules }, version, .. } = stored;
    Versioned { version, view: TargetingView { enabled, off_variant_key: off_variant, rules, version } }
}

/// Reads a feature's targeting in an environment.
#[utoipa::path(get, path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", tag = "Targeting", params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path)), responses((status = 200, body = TargetingView)))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature, environment)): Address,
) -> Result<Versioned<TargetingView>, Problem> {
    Ok(versioned(targeting::read(&app, &caller, &project, &feature, &environment).await?))
}

/// Replaces all of a feature's targeting in an environment.
#[utoipa::path(put, path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", tag = "Targeting", params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path), IfMatch), request_body(content = Targeting, example = json!({ "enabled": true, "offVariantKey": "off", "rules": [{ "name": "A fifth of Danes", "conditions": [{ "attribute": "country", "operator": "equals", "values": ["DK"] }], "splits": [{ "variantKey": "on", "percentage": 20 }, { "variantKey": "off", "percentage": 80 }] }] })), responses((status = 200, body = TargetingView)))]
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature, environment)): Address,
    IfMatch(seen): IfMatch,
    Json(whole): Json<Targeting>,
) -> Result<Versioned<TargetingView>, Problem> {
    write(&app, &caller, (&project, &feature, &environment), (whole.into(), seen)).await
}

/// Changes parts of a feature's targeting in an environment.
#[utoipa::path(patch, path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", tag = "Targeting", params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path), IfMatch), request_body = TargetingEdit, responses((status = 200, body = TargetingView)))]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature, environment)): Address,
    IfMatch(seen): IfMatch,
    Json(edit): Json<TargetingEdit>,
) -> Result<Versioned<TargetingView>, Problem> {
    let edit = targeting::TargetingEdit { enabled: edit.enabled, off_variant: edit.off_variant_key, rules: edit.rules };
    write(&app, &caller, (&project, &feature, &environment), (edit, seen)).await
}

async fn write(
    app: &App,
    caller: &Actor,
    address: (&str, &str, &str),
    edit: (targeting::TargetingEdit, Option<u64>),
) -> Result<Versioned<TargetingView>, Problem> {
    let mut write = app.begin().await?;
    let stored = targeting::update(app, caller, &mut write, address, edit).await?;
    app.commit(write).await?;
    Ok(versioned(stored))
}
