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

use crate::http::problem::Problem;

/// The version that the caller has seen, from `If-Match`. Without it, the last write wins.
pub struct IfMatch(pub Option<u64>);

/// The header in the OpenAPI document.
impl IntoParams for IfMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let etag =
            ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).pattern(Some(r#"^(\*|"[0-9]{1,19}")$"#));
        let parameter = ParameterBuilder::new().name("If-Match").parameter_in(ParameterIn::Header).schema(Some(etag));
        let described = parameter.required(Required::False).example(Some("\"17\"".into())).description(Some(
            "The ETag of the version to change. If the resource has changed since, the response is 412 and nothing is changed. \
             Without it, or with *, the last write wins.",
        ));
        vec![described.build()]
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(header::IF_MATCH) else {
            return Ok(Self(None));
        };
        let text = value.to_str().unwrap_or_default().trim();
        if text == "*" {
            return Ok(Self(None));
        }
        let version = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).and_then(|text| text.parse().ok());
        match version {
            Some(version) => Ok(Self(Some(version))),
            None => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "invalid-if-match",
                "If-Match must be the ETag of an earlier response, for example \"17\".",
            )),
        }
    }
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
