//! The browser client's build without wasm, from inside the binary. A page loads it where WebAssembly is not available, and names the
//! version of its client.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;

use crate::http::problem::Problem;
use crate::http::site::files::{Files, immutable};
use crate::serving::Serving;

const EXTENSION: &str = ".mjs";

/// One file for each version, `2.6.0.mjs`, that was there when the server was compiled. Empty if the client was not built.
#[derive(rust_embed::Embed)]
#[folder = "../../dist/no-wasm-core"]
#[allow_missing = true]
struct EmbeddedFiles;

/// The route of the build. A client key cannot have its name.
pub fn router<S>(serving: &Arc<Serving>) -> Router<S> {
    let files = Files::new::<EmbeddedFiles>(None, serving);
    Router::new().route("/client/v1/no-wasm-core/{file}", get(read)).with_state(files)
}

async fn read(State(files): State<Files>, Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    match files.read(&name).await {
        Some(file) => Ok(immutable(&name, files.response(file, &headers).await)),
        None => Err(Problem::new(StatusCode::NOT_FOUND, "no-such-version", missing())),
    }
}

/// Names the versions that there are.
fn missing() -> String {
    let files: Vec<_> = EmbeddedFiles::iter().collect();
    let versions: Vec<_> = files.iter().map(|file| file.trim_end_matches(EXTENSION)).collect();
    let has = match versions.as_slice() {
        [] => "no version of flagservice-client".to_owned(),
        versions => format!("flagservice-client {}", versions.join(", ")),
    };
    format!(
        "This server was built with {has}. Use that version, or set noWasmUrl to your copy of the package's no-wasm-core.mjs."
    )
}
