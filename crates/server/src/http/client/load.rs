//! `POST /load`: the values of a user.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use flagservice_rules::User;
use serde::{Deserialize, Serialize};

use super::guard::ClientKey;
use crate::app::{App, client};
use crate::http::json::ClientJson;
use crate::http::problem::Problem;

/// Who asks. Unknown fields are ignored.
#[derive(Deserialize)]
pub struct LoadRequest {
    user: User,
}

/// The user's values.
#[derive(Serialize)]
pub struct LoadAnswer {
    features: BTreeMap<String, String>,
    since: String,
    token: String,
}

/// Evaluates every feature for the user.
pub async fn load(
    State(app): State<Arc<App>>,
    ClientKey(key): ClientKey,
    ClientJson(request): ClientJson<LoadRequest>,
) -> Result<([(HeaderName, HeaderValue); 1], Json<LoadAnswer>), Problem> {
    let loaded = client::load(&app, &key, request.user)?;
    let answer = LoadAnswer { features: loaded.features, since: loaded.since.to_string(), token: loaded.token };
    Ok(([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(answer)))
}
