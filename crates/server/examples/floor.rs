//! The floor of the load benchmark: bare axum that reads a user, computes 100 SHA-1 buckets and answers compact JSON.
//!
//! No keys, no rules, no limits, no log: what this machine needs at least for a truthful answer.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use sha1::{Digest, Sha1};

const FEATURES: usize = 100;

#[derive(Deserialize)]
struct Load {
    user: User,
}

#[derive(Deserialize)]
struct User {
    id: String,
}

async fn load(State(keys): State<Arc<Vec<String>>>, Json(load): Json<Load>) -> Response {
    let mut body = String::from("{\"features\":{");
    for (index, key) in keys.iter().enumerate() {
        let digest =
            Sha1::new().chain_update("1:").chain_update(key).chain_update(":").chain_update(&load.user.id).finalize();
        let hash = digest.iter().take(8).fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte)) >> 4;
        let position = (hash % 100) * 1000 + (hash / 100) % 1000;
        let variant = match position {
            0..33_400 => "control",
            33_400..66_700 => "treatment",
            _ => "third",
        };
        body.push_str(if index > 0 { ",\"" } else { "\"" });
        body.push_str(key);
        body.push_str("\":\"");
        body.push_str(variant);
        body.push('"');
    }
    body.push_str("}}");
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let keys = Arc::new((0..FEATURES).map(|index| format!("flag-{index:03}")).collect());
    let router = Router::new().route("/load", post(load)).route("/health/ready", get(|| async {})).with_state(keys);
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7399".to_owned());
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await
}
