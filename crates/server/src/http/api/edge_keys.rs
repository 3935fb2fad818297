//! `…/projects/{projectKey}/edge-keys`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::edge_keys;
use crate::app::{App, Name, Operation};
use crate::domain::edge_key::EdgeKey;
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::idempotency::{IdempotencyKey, Once, OnceWithoutBody, Reply, once, text};
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::problem::Problem;
use crate::secret::Secret;

/// An edge key.
#[derive(Serialize, ToSchema)]
#[schema(as = EdgeKey)]
#[serde(rename_all = "camelCase")]
pub struct EdgeKeyView {
    id: String,
    name: String,
    /// The key's last characters.
    hint: String,
    /// The keys of the environments that it gives access to. Missing if it gives access to the whole project, also to environments that
    /// are added later. Empty if all of them have been deleted: it gives access to nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    environment_keys: Option<Vec<Key>>,
    created_at: Time,
    /// When an edge last used it, with minute precision. Missing if it was never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<Time>,
    /// The key itself, only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

impl From<EdgeKey> for EdgeKeyView {
    fn from(key: EdgeKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name,
            hint: key.hint,
            environment_keys: key.environments.map(|all| all.into_iter().map(|(_, key)| key).collect()),
            created_at: Time(key.created_at),
            last_used_at: key.last_used_at.map(Time),
            key: None,
        }
    }
}

/// The fields of a new edge key.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEdgeKey {
    name: Name,
    /// The keys of the environments that it gives access to. Leave it out for the whole project, also for environments that are added
    /// later.
    #[schema(min_items = 1, max_items = 50)]
    environment_keys: Option<Vec<Key>>,
}

/// Lists the project's active edge keys.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/edge-keys",
    operation_id = "listEdgeKeys",
    tag = "Edge keys",
    params(("projectKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<EdgeKeyView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<EdgeKeyView>>, Problem> {
    Ok(List::from_page(edge_keys::list(&app, &caller, &project, &query.page()?).await?, EdgeKeyView::from))
}

/// Creates an edge key. Only this response shows the key itself.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/edge-keys",
    operation_id = "createEdgeKey",
    tag = "Edge keys",
    params(("projectKey" = Key, Path), IdempotencyKey),
    request_body = NewEdgeKey,
    responses((status = 201, body = EdgeKeyView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(project): Path<String>,
    Once { body, request }: Once<NewEdgeKey>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let new = edge_keys::NewEdgeKey { name: body.name, environments: body.environment_keys };
        let created = edge_keys::create(&mut operation, &project, new).await?;
        reply(operation, created)
    })
    .await
}

/// Creates another edge key with the same name and environments. Only this response shows the key itself. The old key stays valid until
/// it is revoked, so that edges can be given the new one without an outage.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/edge-keys/{keyId}/rotate",
    operation_id = "rotateEdgeKey",
    tag = "Edge keys",
    params(("projectKey" = Key, Path), ("keyId" = String, Path), IdempotencyKey),
    responses((status = 201, body = EdgeKeyView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn rotate(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, id)): Path<(String, String)>,
    OnceWithoutBody(request): OnceWithoutBody,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let created = edge_keys::rotate(&mut operation, &project, &id).await?;
        reply(operation, created)
    })
    .await
}

/// Revokes an edge key. Edges that use it keep what they have, and get no more changes.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/edge-keys/{keyId}",
    operation_id = "revokeEdgeKey",
    tag = "Edge keys",
    params(("projectKey" = Key, Path), ("keyId" = String, Path)),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, id)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    edge_keys::revoke(&mut operation, &project, &id).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The new key, with its text, which is not stored.
fn reply(operation: Operation<'_>, (key, secret): (EdgeKey, Secret)) -> Result<Reply<'_>, Problem> {
    let mut view = EdgeKeyView::from(key);
    let stored = text(&view)?;
    view.key = Some(secret.reveal().to_owned());
    Ok(Reply::created_with_secret(operation, stored, text(&view)?))
}
