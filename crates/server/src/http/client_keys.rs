//! `/api/v1/projects/{projectKey}/environments/{environmentKey}/client-keys`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::caller::{Administrator, Reader};
use super::json::Json;
use super::list::List;
use super::problem::Problem;
use crate::app::client_keys::ClientKey;
use crate::app::{App, client_keys};

/// A client key, without its text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientKeyView {
    id: String,
    name: String,
    /// The key's last characters.
    hint: String,
    /// The key itself, in the answer that creates it and never again.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

impl From<ClientKey> for ClientKeyView {
    fn from(key: ClientKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name,
            hint: key.hint,
            key: None,
        }
    }
}

/// What creates a client key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewClientKey {
    name: String,
}

/// `GET …/client-keys`
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, environment)): Path<(String, String)>,
) -> Result<axum::Json<List<ClientKeyView>>, Problem> {
    let keys = client_keys::list(&app, &caller, &project, &environment).await?;
    Ok(axum::Json(List::of(keys, ClientKeyView::from)))
}

/// `POST …/client-keys`
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, environment)): Path<(String, String)>,
    Json(new): Json<NewClientKey>,
) -> Result<(StatusCode, axum::Json<ClientKeyView>), Problem> {
    let (key, text) =
        client_keys::create(&app, &caller, (&project, &environment), new.name).await?;
    let view = ClientKeyView {
        key: Some(text.reveal().to_owned()),
        ..key.into()
    };
    Ok((StatusCode::CREATED, axum::Json(view)))
}

/// `DELETE …/client-keys/{id}`
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, environment, id)): Path<(String, String, String)>,
) -> Result<StatusCode, Problem> {
    client_keys::revoke(&app, &caller, (&project, &environment), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
