//! `/api/v1/projects/{projectKey}/audiences`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use flagservice_rules::Condition;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::changes::patterns;
use crate::app::resources::audiences::{self, AudienceDetails, Use};
use crate::app::{App, Edit, Name, Operation};
use crate::http::extract::caller::{Reader, Writer};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// A saved audience.
#[derive(Serialize, ToSchema)]
#[schema(as = Audience)]
#[serde(rename_all = "camelCase")]
pub struct AudienceView {
    key: Key,
    name: String,
    /// The only environment that may use it. Null if all environments of the project may.
    environment_key: Option<Key>,
    conditions: Vec<Condition>,
    /// Where it is used; only in the response for a single audience.
    #[serde(skip_serializing_if = "Option::is_none")]
    used_in: Option<Vec<UseView>>,
}

/// A feature's targeting in an environment that uses an audience.
#[derive(Serialize, ToSchema)]
#[schema(as = AudienceUse)]
#[serde(rename_all = "camelCase")]
pub struct UseView {
    feature_key: Key,
    environment_key: Key,
}

impl From<AudienceDetails> for AudienceView {
    fn from(AudienceDetails { audience, environment }: AudienceDetails) -> Self {
        Self {
            key: audience.key,
            name: audience.name,
            environment_key: environment,
            conditions: audience.conditions,
            used_in: None,
        }
    }
}

impl From<Use> for UseView {
    fn from(used: Use) -> Self {
        Self { feature_key: used.feature.key, environment_key: used.environment.key }
    }
}

fn versioned(described: AudienceDetails) -> Versioned<AudienceView> {
    Versioned { version: described.audience.revision, view: described.into() }
}

/// The fields of a new audience.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAudience {
    key: Key,
    name: Name,
    /// Makes it available only in this environment.
    environment_key: Option<Key>,
    conditions: Vec<Condition>,
}

/// Changes to an audience. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AudienceEdit {
    name: Option<Name>,
    conditions: Option<Vec<Condition>>,
}

/// Lists the project's audiences by key.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/audiences",
    operation_id = "listAudiences",
    tag = "Audiences",
    params(("projectKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<AudienceView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<AudienceView>>, Problem> {
    Ok(List::from_page(audiences::list(&app, &caller, &project, &query.page()?).await?, AudienceView::from))
}

/// Creates a saved audience.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/audiences",
    operation_id = "createAudience",
    tag = "Audiences",
    params(("projectKey" = Key, Path), IdempotencyKey),
    request_body = NewAudience,
    responses((status = 201, body = AudienceView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(project): Path<String>,
    Once { body, request }: Once<NewAudience>,
) -> Result<Response, Problem> {
    let new = audiences::NewAudience {
        key: body.key,
        name: body.name,
        environment: body.environment_key,
        conditions: body.conditions,
    };
    let _patterns = patterns::ahead_of_conditions(&app, &new.conditions).await?;
    once(&app, &caller, request, async |mut operation| {
        let described = audiences::create(&mut operation, &project, new).await?;
        Reply::created(operation, versioned(described))
    })
    .await
}

/// Reads an audience, with the places where it is used.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/audiences/{audienceKey}",
    operation_id = "readAudience",
    tag = "Audiences",
    params(("projectKey" = Key, Path), ("audienceKey" = Key, Path)),
    responses((status = 200, body = AudienceView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, key)): Path<(String, String)>,
) -> Result<Versioned<AudienceView>, Problem> {
    let (described, uses) = audiences::read(&app, &caller, &project, &key).await?;
    let mut answer = versioned(described);
    answer.view.used_in = Some(uses.into_iter().map(UseView::from).collect());
    Ok(answer)
}

/// Changes an audience. New conditions take effect immediately in every feature that uses it.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}/audiences/{audienceKey}",
    operation_id = "updateAudience",
    tag = "Audiences",
    params(("projectKey" = Key, Path), ("audienceKey" = Key, Path), IfMatch),
    request_body = AudienceEdit,
    responses((status = 200, body = AudienceView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, key)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<AudienceEdit>,
) -> Result<Versioned<AudienceView>, Problem> {
    let _patterns = patterns::ahead_of_conditions(&app, edit.conditions.iter().flatten()).await?;
    let fields = audiences::AudienceEdit { name: edit.name, conditions: edit.conditions };
    let edit = Edit { fields, if_match };
    Ok(versioned(audiences::update_giving_way(&app, &caller, &project, &key, &edit).await?))
}

/// Deletes an audience that no rule uses.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/audiences/{audienceKey}",
    operation_id = "deleteAudience",
    tag = "Audiences",
    params(("projectKey" = Key, Path), ("audienceKey" = Key, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, key)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    audiences::delete(&mut operation, &project, &key, if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
