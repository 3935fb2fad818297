//! The documentation below `/docs`: a document for each page, the files that they load, and text for programs, from inside the
//! binary.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::http::problem::no_such_path;
use crate::http::server::settings::Settings;
use crate::http::site::admin_site::{OPENER, wants_html};
use crate::http::site::files::{File, Files};
use crate::serving::Serving;

/// The files that existed when the server was compiled. Empty if the documentation was not built.
#[derive(rust_embed::Embed)]
#[folder = "../../dist/docs"]
#[allow_missing = true]
struct EmbeddedFiles;

/// The page for unknown paths.
const NOT_FOUND_PAGE: &str = "404.html";

/// Shown if the documentation was not built.
const NOT_BUILT: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Flag Service</title>
<h1>The documentation is not in this build</h1>
<p>Build it, then rebuild the server: <code>node scripts/build-docs.mjs &amp;&amp; cargo build -p flagservice-server</code></p>
<p>The REST API works without it: <a href=\"/docs/api\">API reference</a>.</p>
</html>
";

/// The pages need only their own styles, scripts and images. They need no nonce: no script adds styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The routes of the documentation. Paths of pages end in a slash.
pub fn router<S>(serving: &Arc<Serving>, settings: &Settings) -> Router<S> {
    let files = Files::new::<EmbeddedFiles>(settings.documentation.clone(), serving);
    Router::new()
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(home))
        .route("/docs/assets/{name}", get(asset))
        .route("/docs/{*page}", get(page))
        .with_state(files)
}

async fn home(State(files): State<Files>, headers: HeaderMap, uri: Uri) -> Response {
    page_response(&files, "", &headers, uri).await
}

async fn page(State(files): State<Files>, Path(page): Path<String>, headers: HeaderMap, uri: Uri) -> Response {
    if page.ends_with('/') {
        return page_response(&files, &page, &headers, uri).await;
    }
    if let Some(kind) = text_type(&page)
        && let Some(file) = files.read(&page).await
    {
        return revalidated(&files, file, &headers, |content| text(kind, content)).await;
    }
    if files.read(&format!("{page}/index.html")).await.is_some() {
        return Redirect::permanent(&format!("{}/", uri.path())).into_response();
    }
    not_found(&files, &headers, uri).await
}

async fn asset(State(files): State<Files>, Path(name): Path<String>, headers: HeaderMap, uri: Uri) -> Response {
    files.asset(&name, &headers, uri).await
}

/// The page of a folder, or 304 if the browser has it.
async fn page_response(files: &Files, folder: &str, headers: &HeaderMap, uri: Uri) -> Response {
    let Some(file) = files.read(&format!("{folder}index.html")).await else {
        return not_found(files, headers, uri).await;
    };
    revalidated(files, file, headers, |content| document(StatusCode::OK, content)).await
}

/// The content type of a page as Markdown, and of the list of these files.
fn text_type(path: &str) -> Option<&'static str> {
    match path {
        "llms.txt" => Some("text/plain; charset=utf-8"),
        _ if path.ends_with(".md") => Some("text/markdown; charset=utf-8"),
        _ => None,
    }
}

fn text(kind: &'static str, content: Response) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, content).into_response()
}

/// The response with a file, or 304 if the browser has it.
async fn revalidated(
    files: &Files,
    file: File,
    headers: &HeaderMap,
    response: impl FnOnce(Response) -> Response,
) -> Response {
    // Weak, because the page may be compressed.
    let etag = format!("W/\"{}\"", STANDARD.encode(&file.hash[..15]));
    let mut response = if matches_etag(headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        response(files.response(file, headers).await)
    };
    let validators = [(header::ETAG, etag.as_str()), (header::CACHE_CONTROL, "no-cache")];
    for (name, value) in validators {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// The response for an unknown path: a page for browsers, a problem for programs.
async fn not_found(files: &Files, headers: &HeaderMap, uri: Uri) -> Response {
    if !wants_html(headers) {
        return no_such_path(uri).await.into_response();
    }
    match files.read(NOT_FOUND_PAGE).await {
        Some(file) => document(StatusCode::NOT_FOUND, file.content),
        None => document(StatusCode::NOT_FOUND, NOT_BUILT),
    }
}

fn document(status: StatusCode, content: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (OPENER, "same-origin"),
    ];
    (status, headers, content).into_response()
}

fn matches_etag(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let strong = etag.trim_start_matches("W/");
    values.flat_map(|value| value.split(',')).any(|known| {
        let known = known.trim();
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == strong
    })
}
