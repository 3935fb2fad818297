//! The floor of the load campaign: a bare axum server that reads a user, computes 100 buckets and returns the variants.
//!
//! `load-floor PORT`. It has no keys, rules, limits, request ids, tokens or versions.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use flagservice_rules::bucket::{DEFAULT_SALT, POSITIONS, position};
use serde::Deserialize;
use tokio::net::TcpListener;

/// The same allocator as the server, so that only the work differs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FEATURES: usize = 100;

/// The size of `since` and `token` in a load response.
const FILLER_BYTES: usize = 360;

#[derive(Deserialize)]
struct LoadRequest {
    user: User,
}

#[derive(Deserialize)]
struct User {
    id: String,
}

async fn load(State(keys): State<Arc<Vec<String>>>, body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<LoadRequest>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut text = String::with_capacity(keys.len() * 24 + FILLER_BYTES + 32);
    let mut separator = "{\"features\":{";
    for key in keys.iter() {
        let position = position(DEFAULT_SALT, key, &request.user.id);
        let variant = match position * 3 / POSITIONS {
            0 => "control",
            1 => "first",
            _ => "second",
        };
        for part in [separator, "\"", key, "\":\"", variant, "\""] {
            text.push_str(part);
        }
        separator = ",";
    }
    text.push_str("},\"filler\":\"");
    text.extend(std::iter::repeat_n('x', FILLER_BYTES));
    text.push_str("\"}");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn ready() -> Json<bool> {
    Json(true)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let port: u16 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let keys: Vec<String> = (0..FEATURES).map(|index| format!("flag-{index:03}")).collect();
    let router = Router::new()
        .route("/load", post(load))
        .route("/health/ready", axum::routing::get(ready))
        .with_state(Arc::new(keys));
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
