//! The floor of the load campaign: what a bare axum costs that reads a user, computes 100 buckets and answers their variants.
//!
//! `floor PORT`. It knows no keys, rules, limits, request ids, tokens or versions.

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

/// As the server has it: what is compared is the work, not the allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FEATURES: usize = 100;

/// About as much as a load's `since` and `token`.
const FILLER: usize = 360;

#[derive(Deserialize)]
struct Load {
    user: User,
}

#[derive(Deserialize)]
struct User {
    id: String,
}

async fn answer(State(keys): State<Arc<Vec<String>>>, body: Bytes) -> Response {
    let Ok(load) = serde_json::from_slice::<Load>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut text = String::with_capacity(keys.len() * 24 + FILLER + 32);
    let mut before = "{\"features\":{";
    for key in keys.iter() {
        let place = position(DEFAULT_SALT, key, &load.user.id);
        let variant = match place * 3 / POSITIONS {
            0 => "control",
            1 => "first",
            _ => "second",
        };
        for part in [before, "\"", key, "\":\"", variant, "\""] {
            text.push_str(part);
        }
        before = ",";
    }
    text.push_str("},\"filler\":\"");
    text.extend(std::iter::repeat_n('x', FILLER));
    text.push_str("\"}");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Says that it is up.
async fn ready() -> Json<bool> {
    Json(true)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let port: u16 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let keys: Vec<String> = (0..FEATURES).map(|index| format!("flag-{index:03}")).collect();
    let router = Router::new()
        .route("/load", post(answer))
        .route("/health/ready", axum::routing::get(ready))
        .with_state(Arc::new(keys));
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
