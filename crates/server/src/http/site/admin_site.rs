//! The administration pages: one document for every page's address, and the files that it loads, from inside the binary.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::app::App;
use crate::http::problem::no_such_path;
use crate::http::server::settings::Settings;
use crate::http::site::files::Files;
use crate::identity::ProviderSettings;
use crate::random::bytes;

/// The files that existed when the server was compiled. Empty if the pages were not built.
#[derive(rust_embed::Embed)]
#[folder = "../../dist/admin"]
#[allow_missing = true]
struct EmbeddedFiles;

/// The document of every page.
const DOCUMENT: &str = "index.html";

/// The placeholder for the nonce in the document.
const NONCE: &str = "__NONCE__";

/// The placeholder for what the sign-in page says of single sign-on: JSON, or nothing.
const SINGLE_SIGN_ON: &str = "__SINGLE_SIGN_ON__";

/// First path segments that no page uses.
const RESERVED: [&str; 9] = ["api", "ui", "client", "ofrep", "docs", "health", "metrics", "pages", "openapi.json"];

/// Shown if the pages were not built.
const NOT_BUILT: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Flag Service</title>
<h1>The administration pages are not in this build</h1>
<p>Build them, then rebuild the server: <code>node scripts/build-admin.mjs &amp;&amp; cargo build -p flagservice-server</code></p>
<p>The REST API works without them: <a href=\"/docs/api\">API reference</a>.</p>
</html>
";

pub(super) const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The state of the pages.
#[derive(Clone)]
struct Pages {
    app: Arc<App>,
    files: Files,
    /// In place of [`SINGLE_SIGN_ON`].
    single_sign_on: Arc<str>,
}

/// The files of the pages. All other paths without a route return the document.
pub fn router<S>(app: &Arc<App>, settings: &Settings) -> Router<S> {
    let files = Files::new::<EmbeddedFiles>(settings.admin_pages.clone(), &app.serving);
    let single_sign_on = settings.identity_provider.as_ref().map(SingleSignOnView::from);
    let single_sign_on = single_sign_on.and_then(|view| serde_json::to_string(&view).ok()).unwrap_or_default();
    let pages = Pages { app: Arc::clone(app), files, single_sign_on: attribute(&single_sign_on).into() };
    Router::new().route("/ui/assets/{name}", get(asset)).fallback(document).with_state(pages)
}

async fn asset(State(pages): State<Pages>, Path(name): Path<String>, headers: HeaderMap, uri: Uri) -> Response {
    pages.files.asset(&name, &headers, uri).await
}

async fn document(State(pages): State<Pages>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !(method.is_safe() && may_be_page(uri.path()) && wants_html(&headers)) {
        return no_such_path(uri).await.into_response();
    }
    let nonce = STANDARD.encode(bytes::<16>(&*pages.app.random));
    let (status, text) = match pages.files.read(DOCUMENT).await {
        Some(file) => {
            let text = String::from_utf8_lossy(&file.content).replace(NONCE, &nonce);
            (StatusCode::OK, text.replace(SINGLE_SIGN_ON, &pages.single_sign_on))
        }
        None => (StatusCode::NOT_FOUND, NOT_BUILT.to_owned()),
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        // Revalidated each time: the file names in it change with every build.
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "accept"),
        (header::CONTENT_SECURITY_POLICY, &policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (OPENER, "same-origin"),
    ];
    (status, headers, text).into_response()
}

/// What the sign-in page shows of the identity provider.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SingleSignOnView<'a> {
    name: &'a str,
    role_claim: &'a str,
    contact: Option<&'a str>,
}

impl<'a> From<&'a ProviderSettings> for SingleSignOnView<'a> {
    fn from(settings: &'a ProviderSettings) -> Self {
        Self { name: &settings.name, role_claim: settings.role_claim.as_str(), contact: settings.contact.as_deref() }
    }
}

/// A text as the value of an attribute in quotes.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

pub(super) fn may_be_page(path: &str) -> bool {
    !path.split('/').nth(1).is_some_and(|first| RESERVED.contains(&first))
}

pub(super) fn wants_html(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    accepted.any(|line| line.contains("text/html"))
}
