//! `/api/v1/erasures`: erases all that is stored of a person, or of a user of your pages.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::app::retention::erasure::{self, Erased};
use crate::http::extract::caller::Administrator;
use crate::http::extract::json::Json;
use crate::http::problem::Problem;

/// The person or the user to erase.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewErasure {
    /// The id of a person, also of one who has been removed, or the id of a user as your pages send it.
    user_id: String,
}

/// What was erased.
#[derive(Serialize, ToSchema)]
pub struct Erasure {
    /// How many records were removed or changed, by kind. Kinds without any are left out.
    removed: BTreeMap<String, u64>,
    /// The paths below `/api/v1` of targetings, audiences and pending approvals that still contain the id. To change them changes
    /// what is served, so that is left to you.
    rules: Vec<String>,
}

impl From<Erased> for Erasure {
    fn from(erased: Erased) -> Self {
        let removed = erased.removed.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect();
        Self { removed, rules: erased.rules }
    }
}

/// Erases a person or a user. In records that stay, a neutral person takes their place. Once more, it finds nothing.
#[utoipa::path(
    post,
    path = "/erasures",
    operation_id = "eraseUser",
    tag = "Users",
    request_body = NewErasure,
    responses((status = 200, body = Erasure)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    Administrator(caller): Administrator,
    Json(new): Json<NewErasure>,
) -> Result<axum::Json<Erasure>, Problem> {
    Ok(axum::Json(erasure::erase(app, caller, new.user_id).await?.into()))
}
