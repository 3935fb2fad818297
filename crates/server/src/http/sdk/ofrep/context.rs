//! The evaluation context as a user: `targetingKey` is the id, and everything else an attribute.

use axum::extract::{DefaultBodyLimit, Request};
use axum::response::{IntoResponse, Response};
use flagservice_rules::User;
use serde_json::{Map, Value, json};

use crate::http::extract::json::read;
use crate::http::sdk::body_limits::LOAD_BODY;
use crate::http::sdk::ofrep::failure::{ErrorCode, Failure};

const TARGETING_KEY: &str = "targetingKey";

/// The user of a request; `key` is the feature that it asks for, for the refusal.
pub async fn user(mut request: Request, key: Option<&str>) -> Result<User, Response> {
    DefaultBodyLimit::max(LOAD_BODY).apply(&mut request);
    let body = read(request, &(), &["application/json"]).await.map_err(IntoResponse::into_response)?;
    of(&body).map_err(|failure| match key {
        Some(key) => failure.of(key).into_response(),
        None => failure.into_response(),
    })
}

fn of(body: &[u8]) -> Result<User, Failure> {
    let body: Value = serde_json::from_slice(body)
        .map_err(|error| Failure::new(ErrorCode::ParseError, format!("The body cannot be read as JSON: {error}.")))?;
    let Some(Value::Object(mut context)) = body.get("context").cloned() else {
        return Err(Failure::new(ErrorCode::InvalidContext, "Send `context`, an object with a `targetingKey`."));
    };
    let id = match context.remove(TARGETING_KEY) {
        Some(Value::String(id)) if !id.is_empty() => id,
        None | Some(Value::Null | Value::String(_)) => {
            let details = "Send `context.targetingKey`: the id of the user, which decides the place in splits.";
            return Err(Failure::new(ErrorCode::TargetingKeyMissing, details));
        }
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            return Err(Failure::new(ErrorCode::InvalidContext, "`context.targetingKey` must be a text."));
        }
    };
    with_attributes(id, context)
}

/// What is no usable value of an attribute is ignored, as in a load.
fn with_attributes(id: String, attributes: Map<String, Value>) -> Result<User, Failure> {
    serde_json::from_value(json!({ "id": id, "attributes": attributes }))
        .map_err(|error| Failure::new(ErrorCode::InvalidContext, format!("The context cannot be used: {error}.")))
}
