//! The evaluation context as a user: `targetingKey` is the id, everything else an attribute.

use axum::extract::{DefaultBodyLimit, Request};
use axum::response::{IntoResponse, Response};
use flagservice_rules::{User, Violation};
use serde_json::{Map, Value, json};

use crate::app::json::{self, Unreadable};
use crate::http::extract::json::read;
use crate::http::sdk::body_limits::LOAD_BODY;
use crate::http::sdk::ofrep::failure::{ErrorCode, Failure};

const TARGETING_KEY: &str = "targetingKey";

/// The user of a request. `key` is the requested feature, for error responses.
pub async fn user(mut request: Request, key: Option<&str>) -> Result<User, Response> {
    DefaultBodyLimit::max(LOAD_BODY).apply(&mut request);
    let body = read(request, &(), &["application/json"]).await.map_err(IntoResponse::into_response)?;
    parse(&body).map_err(|failure| match key {
        Some(key) => failure.for_feature(key).into_response(),
        None => failure.into_response(),
    })
}

fn parse(body: &[u8]) -> Result<User, Failure> {
    let body: Value = json::parse(body).map_err(|unreadable| match unreadable {
        Unreadable::Malformed(detail) => Failure::new(ErrorCode::ParseError, detail),
        Unreadable::Invalid(Violation { detail, .. }) => Failure::new(ErrorCode::InvalidContext, detail),
    })?;
    let Some(Value::Object(mut context)) = body.get("context").cloned() else {
        return Err(Failure::new(ErrorCode::InvalidContext, "Send `context`, an object with a `targetingKey`."));
    };
    let id = match context.remove(TARGETING_KEY) {
        Some(Value::String(id)) if !id.is_empty() => id,
        None | Some(Value::Null | Value::String(_)) => {
            let details = "Send `context.targetingKey`, the id of the user. It assigns a variant in percentage splits.";
            return Err(Failure::new(ErrorCode::TargetingKeyMissing, details));
        }
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            return Err(Failure::new(ErrorCode::InvalidContext, "`context.targetingKey` must be a string."));
        }
    };
    with_attributes(id, context)
}

/// Unusable attribute values are ignored, as in a load.
fn with_attributes(id: String, attributes: Map<String, Value>) -> Result<User, Failure> {
    // Every object has attributes, so nothing is refused here.
    serde_json::from_value(json!({ "id": id, "attributes": attributes }))
        .map_err(|_| Failure::new(ErrorCode::InvalidContext, "Send `context`, an object with a `targetingKey`."))
}
