//! `POST /load`: the values of a user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flagservice_rules::User;
use serde::Deserialize;

use crate::http::extract::accepted_encoding::AcceptsGzip;
use crate::http::extract::json::ClientJson;
use crate::http::middleware::compression::MIN_BYTES;
use crate::http::problem::Problem;
use crate::http::sdk::body_limits::LOAD_BODY;
use crate::http::sdk::guard::ClientKey;
use crate::serving::Serving;
use crate::serving::client::{self, Loaded};
use crate::serving::compressed::gzip;
use crate::serving::evaluations;

/// The approximate size of a feature and its variant in a response.
const FEATURE_BYTES: usize = 40;

/// The largest size of a response without its features and token.
const FRAME_BYTES: usize = 128;

/// A load request. Unknown fields are ignored.
#[derive(Deserialize)]
pub struct LoadRequest {
    user: User,
}

/// Evaluates every feature for the user.
pub async fn load(
    State(serving): State<Arc<Serving>>,
    ClientKey(key): ClientKey,
    AcceptsGzip(accepts_gzip): AcceptsGzip,
    ClientJson(request): ClientJson<LoadRequest, LOAD_BODY>,
) -> Result<Response, Problem> {
    let loaded = client::load(&serving, &key, request.user)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let (snapshot, user) = (Arc::clone(&loaded.snapshot), Arc::clone(&loaded.user));
    let insights_percent = evaluations::draw(&serving);
    let body = client::evaluate(&serving, &snapshot, &user, move || to_json(&loaded, insights_percent)).await?;
    // Not by a layer, which costs each request more than to see that its response is small.
    if accepts_gzip && body.len() as u64 >= MIN_BYTES {
        let encoding = [(header::CONTENT_ENCODING, "gzip"), (header::VARY, "accept-encoding")];
        return Ok((encoding, headers, gzip(body.as_bytes())).into_response());
    }
    Ok((headers, body).into_response())
}

/// The response body. Neither a version nor a token contains characters that JSON escapes.
fn to_json(loaded: &Loaded, insights_percent: Option<u8>) -> String {
    let mut text = String::with_capacity(loaded.features() * FEATURE_BYTES + loaded.token.len() + FRAME_BYTES);
    text.push('{');
    let since = loaded.write_values(&mut text).to_string();
    for part in [",\"since\":\"", &since, "\",\"token\":\"", &loaded.token, "\""] {
        text.push_str(part);
    }
    if let Some(percent) = insights_percent {
        text.push_str(",\"insights\":");
        text.push_str(&percent.to_string());
    }
    text.push('}');
    text
}
