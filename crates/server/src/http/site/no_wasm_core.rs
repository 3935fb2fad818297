//! The browser client's build without wasm, from inside the binary. A page loads it where WebAssembly is not available, and names the
//! version of its client.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use crate::http::problem::Problem;
use crate::http::site::files::{Files, IMMUTABLE};

/// One file for each version, `2.6.0.mjs`, that was there when the server was compiled. Empty if the client was not built.
#[derive(rust_embed::Embed)]
#[folder = "../../dist/no-wasm-core"]
#[allow_missing = true]
struct EmbeddedFiles;

/// The route of the build. A client key cannot have its name.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/client/v1/no-wasm-core/{file}", get(read))
}

async fn read(Path(name): Path<String>) -> Result<Response, Problem> {
    let Some(file) = Files::new::<EmbeddedFiles>(None).read(&name).await else {
        return Err(Problem::new(StatusCode::NOT_FOUND, "no-such-version", missing()));
    };
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, IMMUTABLE),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, file.content).into_response())
}

/// Names the versions that there are.
fn missing() -> String {
    let files: Vec<_> = EmbeddedFiles::iter().collect();
    let has = if files.is_empty() { "none".to_owned() } else { files.join(", ") };
    format!(
        "This server was built with other versions of flagservice-client: {has}. Set noWasmUrl to your copy of the package's \
         no-wasm-core.mjs, or use a version that the server has."
    )
}
