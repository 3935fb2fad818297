//! `POST /load`: the values of a user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flagservice_core::Key;
use flagservice_rules::User;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::guard::ClientKey;
use crate::app::{App, client};
use crate::http::json::ClientJson;
use crate::http::once::text;
use crate::http::problem::Problem;

/// Who asks. Unknown fields are ignored.
#[derive(Deserialize)]
pub struct LoadRequest {
    user: User,
}

/// The user's values.
#[derive(Serialize)]
struct LoadAnswer<'a> {
    #[serde(serialize_with = "as_map")]
    features: &'a [(&'a Key, &'a Key)],
    since: String,
    token: &'a str,
}

/// Evaluates every feature for the user.
pub async fn load(
    State(app): State<Arc<App>>,
    ClientKey(key): ClientKey,
    ClientJson(request): ClientJson<LoadRequest>,
) -> Result<Response, Problem> {
    let loaded = client::load(&app, &key, request.user)?;
    let (values, since) = loaded.values();
    let answer = LoadAnswer { features: &values.variants, since: since.to_string(), token: &loaded.token };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, text(&answer)?).into_response())
}

fn as_map<S: Serializer>(features: &[(&Key, &Key)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(features.len()))?;
    for (feature, variant) in features {
        map.serialize_entry(feature.as_str(), variant.as_str())?;
    }
    map.end()
}
