//! The OpenAPI document: generated from the code, committed as `docs/openapi.json`, served and browsable.

mod examples;

use std::path::Path;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::fixture::{Server, on_each_database};

/// When it is `1`, the committed document is written anew.
const UPDATE: &str = "FLAGSERVICE_UPDATE";

#[test]
fn the_committed_document_matches_the_code() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let made = serde_json::to_string_pretty(&flagservice_server::http::document()).unwrap() + "\n";
    if std::env::var(UPDATE).as_deref() == Ok("1") {
        std::fs::write(&file, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = committed.lines().zip(made.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| committed.lines().count().min(made.lines().count())) + 1;
    assert!(
        committed == made,
        "docs/openapi.json is not what the code makes (first difference in line {line}). Write it anew, and look at what \
         changed for callers:\n\n    {UPDATE}=1 cargo test -p flagservice-server openapi\n"
    );
}

#[apply(on_each_database)]
async fn the_document_and_its_viewer_are_public(database: Database) {
    let server = Server::start(&database).await;
    let anonymous = server.anonymous();
    let served = anonymous.get("/openapi.json").await;
    assert_eq!(served.header("content-type"), Some("application/json"));
    let document: Value = served.ok(200);
    assert_eq!(document, serde_json::to_value(flagservice_server::http::document()).unwrap());
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."), "{}", document["openapi"]);

    for path in ["/docs/api", "/docs/api/"] {
        let page = anonymous.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.header("content-type").unwrap().starts_with("text/html"), "{path}");
        assert!(page.text.contains("swagger-ui"), "{}", page.text);
    }
    let shown = anonymous.get("/docs/api/swagger-initializer.js").await;
    assert!(shown.text.contains("/openapi.json"), "{}", shown.text);
}

/// The answer, which all operations that can give it name.
fn problem<'a>(document: &'a Value, answer: &Value) -> &'a Value {
    let name = answer["$ref"].as_str().unwrap_or_else(|| panic!("{answer} names no problem"));
    document.pointer(name.trim_start_matches('#')).unwrap()
}

#[test]
fn every_operation_has_a_summary_and_documents_its_errors() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let summary = operation["summary"].as_str();
            assert!(summary.is_some_and(|summary| !summary.is_empty()), "{method} {path} has no summary");
            let answers = operation["responses"].as_object().unwrap();
            let problems = answers.iter().filter(|(status, _)| status.starts_with(['4', '5']));
            let mut told = Vec::new();
            for (status, answer) in problems {
                let content = &problem(&document, answer)["content"]["application/problem+json"];
                assert!(content["schema"].is_object(), "{status} of {method} {path}");
                assert_eq!(content["example"]["status"].to_string(), *status, "{method} {path}");
                told.push(status.as_str());
            }
            for always in ["401", "500", "503"] {
                assert!(told.contains(&always), "{method} {path} tells no {always}: {told:?}");
            }
        }
    }
}

/// The headers that an operation takes, by name.
fn headers_taken(operation: &Value) -> Vec<&str> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.filter(|parameter| parameter["in"] == "header").map(|header| header["name"].as_str().unwrap()).collect()
}

#[test]
fn writes_document_their_headers_and_errors_document_retry_after() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            // Keys and tokens are revoked for good: there is no version to have seen.
            let revoked = path.ends_with("{keyId}") || path.ends_with("{tokenId}");
            let expected: &[_] = match method.as_str() {
                // A question, which does nothing however often it is asked.
                "post" if path.ends_with("/preview") => &[],
                "post" => &["Idempotency-Key"],
                "put" | "patch" => &["If-Match"],
                "delete" if !revoked => &["If-Match"],
                _ => &[],
            };
            assert_eq!(headers_taken(operation), expected, "{method} {path}");
            let taken = if headers_taken(operation).contains(&"If-Match") { "412" } else { "401" };
            assert!(operation["responses"].get(taken).is_some(), "{method} {path}");
            let timeout = problem(&document, &operation["responses"]["503"]);
            assert!(timeout["headers"]["Retry-After"]["schema"].is_object(), "{method} {path}");
        }
    }
}

/// Asserts that no list takes just anything.
fn items_are_told(schema: &Value, place: &str) {
    if let Some(items) = schema.get("items") {
        assert!(items.as_object().is_some_and(|items| !items.is_empty()), "{place}: {schema}");
    }
    match schema {
        Value::Object(parts) => parts.iter().for_each(|(name, part)| items_are_told(part, &format!("{place}/{name}"))),
        Value::Array(parts) => parts.iter().for_each(|part| items_are_told(part, place)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_list_documents_its_items() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let mut schema = schema.clone();
        schema.as_object_mut().unwrap().remove("example");
        for property in schema["properties"].as_object().into_iter().flatten() {
            items_are_told(property.1, &format!("{name}/{}", property.0));
        }
    }
}
