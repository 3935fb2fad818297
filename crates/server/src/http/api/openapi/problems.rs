//! Which problems an operation may answer with: one table for all of them, with an example of each.

use axum::http::StatusCode;
use utoipa::ToSchema as _;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{ContentBuilder, Header, Ref, RefOr, Response, ResponseBuilder};

use crate::app::AppError;
use crate::http::problem::Problem;

/// What decides which problems there can be.
pub(super) struct Kind {
    writes: bool,
    has_query: bool,
    has_body: bool,
    has_if_match: bool,
    /// Its path or its body names something that may not be there.
    names: bool,
}

impl Kind {
    pub(super) fn of(method: &str, path: &str, operation: &Operation) -> Self {
        let parameters = || {
            operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
                RefOr::T(parameter) => Some(parameter),
                RefOr::Ref(_) => None,
            })
        };
        Self {
            // A preview is a question with a body.
            writes: method != "get" && !path.ends_with("/preview"),
            has_query: parameters().any(|parameter| parameter.parameter_in == ParameterIn::Query),
            has_body: operation.request_body.is_some(),
            has_if_match: parameters().any(|parameter| parameter.name == "If-Match"),
            names: path.contains('{') || method == "post",
        }
    }
}

/// An answer that is a problem.
pub(super) struct ProblemAnswer {
    status: StatusCode,
    pub(super) name: &'static str,
    description: &'static str,
    pub(super) is_possible: fn(&Kind) -> bool,
    example: fn() -> Problem,
    /// Whether it goes by itself, so that the answer says when to come back.
    goes: bool,
}

/// All of them. That a path takes no such method belongs to no operation.
pub(super) static ALL: [ProblemAnswer; 12] = [
    ProblemAnswer {
        status: StatusCode::BAD_REQUEST,
        name: "Unreadable",
        description: "The body is no JSON, or a parameter of the query or a header cannot be read.",
        is_possible: |kind| kind.has_query || kind.has_body || kind.has_if_match,
        example: || {
            Problem::new(
                StatusCode::BAD_REQUEST,
                "malformed-json",
                "The body cannot be read: expected value at line 1 column 9.",
            )
        },
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::UNAUTHORIZED,
        name: "Unauthenticated",
        description: "There is no personal access token, or it is unknown, expired or revoked.",
        is_possible: |_| true,
        example: || AppError::Unauthenticated("The token is unknown, expired or revoked. Make a new one.").into(),
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::FORBIDDEN,
        name: "Forbidden",
        description: "The token's person has too small a role, or asked for the change that is to be decided on.",
        is_possible: |kind| kind.writes,
        example: || AppError::Forbidden("This takes the role of an administrator.").into(),
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::NOT_FOUND,
        name: "NotFound",
        description: "There is nothing of that key or id in the caller's organisation.",
        is_possible: |kind| kind.names,
        example: || AppError::not_found("feature", "new-checkout").into(),
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::CONFLICT,
        name: "Conflict",
        description: "The key is taken, others need what is to go, a change waits for approval or was decided on, or the first request with this Idempotency-Key is still running.",
        is_possible: |kind| kind.writes,
        example: || AppError::Exists { what: "feature", key: "new-checkout".to_owned() }.into(),
        goes: true,
    },
    ProblemAnswer {
        status: StatusCode::PRECONDITION_FAILED,
        name: "Stale",
        description: "The resource changed since the caller saw the version that If-Match names.",
        is_possible: |kind| kind.has_if_match,
        example: || AppError::Stale { seen: 16, current: 17 }.into(),
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        name: "TooLarge",
        description: "The body is larger than 1 MiB.",
        is_possible: |kind| kind.has_body,
        example: || {
            Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                "The body is larger than this path takes. Send less.",
            )
        },
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
        name: "UnsupportedMediaType",
        description: "The body is not marked as application/json.",
        is_possible: |kind| kind.has_body,
        example: || {
            let detail = "Send the body as application/json.";
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail)
        },
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        name: "Invalid",
        description: "What was sent breaks a rule; errors[] points at each place.",
        is_possible: |kind| kind.has_query || kind.has_body,
        example: || AppError::invalid("/limit", "A page has 1 to 200 items.").into(),
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::INTERNAL_SERVER_ERROR,
        name: "Internal",
        description: "The service failed.",
        is_possible: |_| true,
        example: || {
            let detail = "The service failed. Try again; if it lasts, tell the operator.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
        },
        goes: false,
    },
    ProblemAnswer {
        status: StatusCode::SERVICE_UNAVAILABLE,
        name: "Timeout",
        description: "The request was not done in time.",
        is_possible: |_| true,
        example: || {
            let detail = "The request was not done in time. Send it whole, or try again a little later.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", detail)
        },
        goes: true,
    },
    ProblemAnswer {
        status: StatusCode::INSUFFICIENT_STORAGE,
        name: "StorageFull",
        description: "The database has no room left; nothing was changed.",
        is_possible: |kind| kind.writes,
        example: || AppError::StorageFull.into(),
        goes: false,
    },
];

impl ProblemAnswer {
    pub(super) fn status(&self) -> String {
        self.status.as_u16().to_string()
    }

    /// What the document says of it.
    pub(super) fn answer(&self) -> Response {
        let schema = Ref::from_schema_name(Problem::name());
        let example = serde_json::to_value((self.example)()).ok();
        let content = ContentBuilder::new().schema(Some(schema)).example(example).build();
        let answer = ResponseBuilder::new().description(self.description).content("application/problem+json", content);
        if self.goes { answer.header("Retry-After", retry_after()).build() } else { answer.build() }
    }
}

fn retry_after() -> Header {
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer)).minimum(Some(1));
    let description = "When to come back, in seconds; of a conflict, only while a first request is still running.";
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}
