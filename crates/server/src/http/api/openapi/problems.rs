//! The problems that operations may return, with an example of each.

use axum::http::StatusCode;
use utoipa::ToSchema as _;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{ContentBuilder, Header, Ref, RefOr, Response, ResponseBuilder};

use crate::app::AppError;
use crate::http::api::openapi::security::needs_role;
use crate::http::problem::Problem;

/// The traits of an operation that decide which problems it can return.
pub(super) struct OperationTraits {
    writes: bool,
    /// It needs more than the role with which everybody reads.
    needs_role: bool,
    /// It belongs to a project, which the scope of a token may lack.
    needs_scope: bool,
    has_query: bool,
    has_body: bool,
    has_idempotency_key: bool,
    has_if_match: bool,
    /// Its path refers to a resource that may not exist.
    has_reference: bool,
}

impl OperationTraits {
    pub(super) fn new(method: &str, path: &str, operation: &Operation) -> Self {
        let parameters = || {
            operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
                RefOr::T(parameter) => Some(parameter),
                RefOr::Ref(_) => None,
            })
        };
        Self {
            // A preview only reads.
            writes: method != "get" && !path.ends_with("/preview"),
            needs_role: needs_role(operation),
            needs_scope: path.contains("{projectKey}"),
            has_query: parameters().any(|parameter| parameter.parameter_in == ParameterIn::Query),
            has_body: operation.request_body.is_some(),
            has_idempotency_key: parameters().any(|parameter| parameter.name == "Idempotency-Key"),
            has_if_match: parameters().any(|parameter| parameter.name == "If-Match"),
            has_reference: path.contains('{'),
        }
    }
}

/// A response that is a problem.
pub(super) struct ProblemResponse {
    status: StatusCode,
    pub(super) name: &'static str,
    description: &'static str,
    pub(super) is_possible: fn(&OperationTraits) -> bool,
    example: fn() -> Problem,
    /// Whether a retry may succeed, so that the response has `Retry-After`.
    is_temporary: bool,
}

/// All problems. `method-not-allowed` is missing because it belongs to no operation.
pub(super) static ALL: [ProblemResponse; 13] = [
    ProblemResponse {
        status: StatusCode::BAD_REQUEST,
        name: "Unreadable",
        description: "The body is not JSON, or a query parameter or header is malformed.",
        is_possible: |operation| operation.has_query || operation.has_body || operation.has_if_match,
        example: || {
            let detail = "The body is empty or ends in the middle of its JSON. Send all of it.";
            Problem::new(StatusCode::BAD_REQUEST, "malformed-json", detail)
        },
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::UNAUTHORIZED,
        name: "Unauthenticated",
        description: "The personal access token is missing, unknown, expired or revoked.",
        is_possible: |_| true,
        example: || AppError::Unauthenticated("The token is unknown, expired or revoked. Create a new one.").into(),
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::FORBIDDEN,
        name: "Forbidden",
        description: "The caller's role or the token's scope is insufficient, or the caller requested the change and can't approve it.",
        is_possible: |operation| operation.writes || operation.needs_role || operation.needs_scope,
        example: || AppError::Forbidden("This needs the administrator role. Ask an administrator to do it.").into(),
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::NOT_FOUND,
        name: "NotFound",
        description: "The caller's organisation has no resource with this key or id.",
        is_possible: |operation| operation.has_reference,
        example: || AppError::not_found("feature", "new-checkout").into(),
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::CONFLICT,
        name: "Conflict",
        description: "The key is taken, the resource is in use, an approval is pending or already decided, or the first \
                      request with this Idempotency-Key is still running.",
        is_possible: |operation| operation.writes,
        example: || AppError::Exists { what: "feature", key: "new-checkout".to_owned() }.into(),
        is_temporary: true,
    },
    ProblemResponse {
        status: StatusCode::PRECONDITION_FAILED,
        name: "Stale",
        description: "The resource has changed since the version in If-Match.",
        is_possible: |operation| operation.has_if_match,
        example: || AppError::Stale { expected: 16, current: 17 }.into(),
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        name: "TooLarge",
        description: "The body is larger than 1 MiB.",
        is_possible: |operation| operation.has_body,
        example: || {
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The body is too large for this path. Send less.")
        },
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
        name: "UnsupportedMediaType",
        description: "The Content-Type is not application/json.",
        is_possible: |operation| operation.has_body,
        example: || {
            let detail = "Send the body as application/json.";
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail)
        },
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        name: "Invalid",
        description: "The request is invalid; errors[] points at each invalid place.",
        is_possible: |operation| operation.has_query || operation.has_body || operation.has_idempotency_key,
        example: || AppError::invalid("/limit", "A page has 1 to 200 items.").into(),
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::TOO_MANY_REQUESTS,
        name: "TooManyRequests",
        description: "The caller sends too many requests per second, or too many at once.",
        is_possible: |_| true,
        example: || {
            let detail = "Too many requests of this caller. Wait 1 s.";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", detail)
        },
        is_temporary: true,
    },
    ProblemResponse {
        status: StatusCode::INTERNAL_SERVER_ERROR,
        name: "Internal",
        description: "An internal error.",
        is_possible: |_| true,
        example: || {
            let detail = "The service failed. Try again; if it lasts, tell the operator.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
        },
        is_temporary: false,
    },
    ProblemResponse {
        status: StatusCode::SERVICE_UNAVAILABLE,
        name: "Timeout",
        description: "The request took too long, or the database is unavailable.",
        is_possible: |_| true,
        example: || {
            let detail = "The request took too long. Try again later.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", detail)
        },
        is_temporary: true,
    },
    ProblemResponse {
        status: StatusCode::INSUFFICIENT_STORAGE,
        name: "StorageFull",
        description: "The database is full; nothing was changed.",
        is_possible: |operation| operation.writes,
        example: || AppError::StorageFull.into(),
        is_temporary: false,
    },
];

impl ProblemResponse {
    pub(super) fn status(&self) -> String {
        self.status.as_u16().to_string()
    }

    /// The response in the document.
    pub(super) fn response(&self) -> Response {
        let schema = Ref::from_schema_name(Problem::name());
        let example = serde_json::to_value((self.example)()).ok();
        let content = ContentBuilder::new().schema(Some(schema)).example(example).build();
        let response =
            ResponseBuilder::new().description(self.description).content("application/problem+json", content);
        if self.is_temporary { response.header("Retry-After", retry_after()).build() } else { response.build() }
    }
}

fn retry_after() -> Header {
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer)).minimum(Some(1));
    let description = "Seconds to wait before a retry. For a conflict, only while the first request is still running.";
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}
