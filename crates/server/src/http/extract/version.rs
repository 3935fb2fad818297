//! Versions of resources in HTTP: `ETag` in responses, `If-Match` in writes.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use crate::app;
use crate::http::problem::Problem;

/// The versions that the caller has seen, from `If-Match`. Without it, the last write wins.
pub struct IfMatch(pub app::IfMatch);

/// The header in the OpenAPI document.
impl IntoParams for IfMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let etags = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .pattern(Some(r#"^(\*|"[0-9]{1,19}"( *, *"[0-9]{1,19}")*)$"#));
        let parameter = ParameterBuilder::new().name("If-Match").parameter_in(ParameterIn::Header).schema(Some(etags));
        let described = parameter.required(Required::False).example(Some("\"17\"".into())).description(Some(
            "The ETag of the version to change, or several, separated by commas. If the resource has another version, the \
             response is 412 and nothing is changed. Without it, or with *, the last write wins.",
        ));
        vec![described.build()]
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let lines: Vec<_> = parts.headers.get_all(header::IF_MATCH).into_iter().collect();
        if lines.is_empty() {
            return Ok(Self(None));
        }
        let etags = lines.iter().flat_map(|line| line.to_str().unwrap_or_default().split(',')).map(str::trim);
        // RFC 9110 allows empty entries in lists.
        let etags: Vec<_> = etags.filter(|etag| !etag.is_empty()).collect();
        if etags == ["*"] {
            return Ok(Self(None));
        }
        if etags.iter().any(|etag| etag.starts_with("W/")) {
            return Err(invalid("If-Match compares strongly, and a weak ETag never matches. Send it without W/."));
        }
        let versions: Option<Vec<u64>> = etags.iter().map(|etag| version(etag)).collect();
        match versions.filter(|versions| !versions.is_empty()) {
            Some(versions) => Ok(Self(Some(versions))),
            None => {
                Err(invalid("If-Match must be *, or ETags of earlier responses, for example \"17\" or \"16\", \"17\"."))
            }
        }
    }
}

fn version(etag: &str) -> Option<u64> {
    etag.strip_prefix('"')?.strip_suffix('"')?.parse().ok()
}

fn invalid(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "invalid-if-match", detail)
}

/// A resource with its version in `ETag`.
pub struct Versioned<T> {
    /// The version.
    pub version: u64,
    /// The body.
    pub view: T,
}

impl<T: Serialize> IntoResponse for Versioned<T> {
    fn into_response(self) -> Response {
        let etag: [(HeaderName, String); 1] = [(header::ETAG, etag(self.version))];
        (etag, axum::Json(self.view)).into_response()
    }
}

/// The `ETag` of a version.
pub fn etag(version: u64) -> String {
    format!("\"{version}\"")
}
