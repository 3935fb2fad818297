//! Requests to the REST API: the query, `If-Match`, `Idempotency-Key` and the body, separated by line breaks.
//!
//! - No request makes the service fail: no status from 500 on.
//! - A refusal is a problem in JSON with its status, a type, a title and a detail.
//! - A list has at most 200 items, and gives a cursor that it accepts.

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::service::RUNNING;

const MAX_ITEMS: usize = 200;

/// Lists, and a comparison, which reads a query too.
const PATHS: [&str; 12] = [
    "projects",
    "projects/shop/features",
    "projects/shop/audiences",
    "projects/shop/environments",
    "projects/shop/environments/compare",
    "projects/shop/approvals",
    "approvals",
    "audit-log",
    "users",
    "tokens",
    "admin/integrations/outbound",
    "projects/shop/environments/staging/client-keys",
];

/// Refuses every body, so that the service stays as it is: no such project.
const WRITE: &str = "projects/no-such-project/features";

/// A request and the parts of its response that the invariants are about.
struct Sent {
    status: StatusCode,
    content_type: String,
    body: Value,
}

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let mut parts = data.splitn(4, |byte| *byte == b'\n');
    let [query, if_match, idempotency_key, body] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let path = PATHS.get(data.len() % PATHS.len()).copied().unwrap_or_default();
    if let Ok(query) = std::str::from_utf8(query)
        && let Some(sent) = send(&Method::GET, &format!("{path}?{query}"), &[], b"")
    {
        check_response(&sent);
        check_list(path, &sent.body);
    }
    let headers = [(header::IF_MATCH.as_str(), if_match), ("idempotency-key", idempotency_key)];
    for method in [Method::POST, Method::PATCH] {
        if let Some(sent) = send(&method, WRITE, &headers, body) {
            assert!(!sent.status.is_success(), "{method} {WRITE}: {}", sent.status);
            check_response(&sent);
        }
    }
}

fn check_response(sent: &Sent) {
    let Sent { status, content_type, body } = sent;
    assert!(!status.is_server_error(), "{status}: {body}");
    if status.is_client_error() && *status != StatusCode::METHOD_NOT_ALLOWED {
        assert_eq!(content_type, "application/problem+json", "{status}: {body}");
        assert_eq!(body.get("status").and_then(Value::as_u64), Some(status.as_u16().into()), "{body}");
        for name in ["type", "title", "detail"] {
            assert!(body.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty()), "{name}: {body}");
        }
    }
}

fn check_list(path: &str, body: &Value) {
    let Some(items) = body.get("items").and_then(Value::as_array) else { return };
    assert!(items.len() <= MAX_ITEMS, "{} items", items.len());
    if let Some(cursor) = body.get("nextCursor").and_then(Value::as_str)
        && let Some(next) = send(&Method::GET, &format!("{path}?cursor={cursor}"), &[], b"")
    {
        assert_eq!(next.status, StatusCode::OK, "{path} refuses its cursor {cursor}: {}", next.body);
    }
}

/// Sends a request; `None` if it is no request of HTTP.
fn send(method: &Method, path: &str, headers: &[(&str, &[u8])], body: &[u8]) -> Option<Sent> {
    let mut request = Request::builder()
        .method(method)
        .uri(format!("/api/v1/{path}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", RUNNING.token))
        .header(header::CONTENT_TYPE, "application/json");
    for (name, value) in headers {
        if !value.is_empty() {
            request = request.header(*name, HeaderValue::from_bytes(value).ok()?);
        }
    }
    let request = request.body(Body::from(body.to_vec())).ok()?;
    RUNNING.wait(async {
        let response = RUNNING.router.clone().oneshot(request).await.ok()?;
        let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let (status, content_type) = (response.status(), content_type.unwrap_or_default().to_owned());
        let bytes = response.into_body().collect().await.ok()?.to_bytes();
        Some(Sent { status, content_type, body: serde_json::from_slice(&bytes).unwrap_or_default() })
    })
}
