//! `…/environments/{environmentKey}/client-keys` and `…/server-keys`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::sdk_keys;
use crate::app::{Actor, App, EnvironmentRef, Name, Operation};
use crate::domain::sdk_key::{KeyKind, SdkKey};
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once, text};
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// A client key or a server key.
#[derive(Serialize, ToSchema)]
#[schema(as = SdkKey)]
#[serde(rename_all = "camelCase")]
pub struct SdkKeyView {
    id: String,
    name: String,
    /// The key's last characters.
    hint: String,
    created_at: Time,
    /// When a request or an open stream last used it, with minute precision. Missing if it was never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<Time>,
    /// The key itself, only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

impl From<SdkKey> for SdkKeyView {
    fn from(key: SdkKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name,
            hint: key.hint,
            created_at: Time(key.created_at),
            last_used_at: key.last_used_at.map(Time),
            key: None,
        }
    }
}

/// The fields of a new key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSdkKey {
    name: Name,
}

/// Lists the environment's active client keys.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/client-keys",
    operation_id = "listClientKeys",
    tag = "Client keys",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<SdkKeyView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list_client(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, environment)): Path<(String, String)>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<SdkKeyView>>, Problem> {
    list(&app, &caller, environment_ref(&project, &environment), KeyKind::Client, query).await
}

/// Creates a client key. Only this response shows the key itself.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/{environmentKey}/client-keys",
    operation_id = "createClientKey",
    tag = "Client keys",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), IdempotencyKey),
    request_body = NewSdkKey,
    responses((status = 201, body = SdkKeyView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create_client(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, environment)): Path<(String, String)>,
    once: Once<NewSdkKey>,
) -> Result<Response, Problem> {
    create(&app, &caller, environment_ref(&project, &environment), KeyKind::Client, once).await
}

/// Revokes a client key.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/environments/{environmentKey}/client-keys/{keyId}",
    operation_id = "revokeClientKey",
    tag = "Client keys",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("keyId" = String, Path)),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn revoke_client(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, environment, id)): Path<(String, String, String)>,
) -> Result<StatusCode, Problem> {
    revoke(&app, &caller, environment_ref(&project, &environment), KeyKind::Client, &id).await
}

/// Lists the environment's active server keys.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/server-keys",
    operation_id = "listServerKeys",
    tag = "Server keys",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<SdkKeyView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list_server(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, environment)): Path<(String, String)>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<SdkKeyView>>, Problem> {
    list(&app, &caller, environment_ref(&project, &environment), KeyKind::Server, query).await
}

/// Creates a server key. Only this response shows the key itself.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/{environmentKey}/server-keys",
    operation_id = "createServerKey",
    tag = "Server keys",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), IdempotencyKey),
    request_body = NewSdkKey,
    responses((status = 201, body = SdkKeyView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create_server(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, environment)): Path<(String, String)>,
    once: Once<NewSdkKey>,
) -> Result<Response, Problem> {
    create(&app, &caller, environment_ref(&project, &environment), KeyKind::Server, once).await
}

/// Revokes a server key.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/environments/{environmentKey}/server-keys/{keyId}",
    operation_id = "revokeServerKey",
    tag = "Server keys",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("keyId" = String, Path)),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn revoke_server(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, environment, id)): Path<(String, String, String)>,
) -> Result<StatusCode, Problem> {
    revoke(&app, &caller, environment_ref(&project, &environment), KeyKind::Server, &id).await
}

fn environment_ref<'a>(project: &'a str, environment: &'a str) -> EnvironmentRef<'a> {
    EnvironmentRef { project, environment }
}

async fn list(
    app: &App,
    caller: &Actor,
    environment: EnvironmentRef<'_>,
    kind: KeyKind,
    query: PageQuery,
) -> Result<axum::Json<List<SdkKeyView>>, Problem> {
    Ok(List::from_page(sdk_keys::list(app, caller, environment, kind, &query.page()?).await?, SdkKeyView::from))
}

async fn create(
    app: &App,
    caller: &Actor,
    environment: EnvironmentRef<'_>,
    kind: KeyKind,
    Once { body, request }: Once<NewSdkKey>,
) -> Result<Response, Problem> {
    once(app, caller, request, async |mut operation| {
        let (key, secret) = sdk_keys::create(&mut operation, environment, kind, body.name).await?;
        let mut view = SdkKeyView::from(key);
        let stored = text(&view)?;
        view.key = Some(secret.reveal().to_owned());
        Ok(Reply::created_with_secret(operation, stored, text(&view)?))
    })
    .await
}

async fn revoke(
    app: &App,
    caller: &Actor,
    environment: EnvironmentRef<'_>,
    kind: KeyKind,
    id: &str,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(app, caller).await?;
    sdk_keys::revoke(&mut operation, environment, kind, id).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
