//! The OpenAPI document: generated from the code, committed as `docs/openapi.json`, and served.

pub mod examples;

use std::collections::BTreeSet;
use std::path::Path;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::fixture::{Server, on_default_database};

/// If `1`, the committed document is updated.
const UPDATE: &str = "FLAGSERVICE_UPDATE";

#[test]
fn the_committed_document_matches_the_code() {
    let file = Path::new("../../docs/openapi.json");
    let generated = serde_json::to_string_pretty(&flagservice_server::http::document()).unwrap() + "\n";
    if std::env::var(UPDATE).as_deref() == Ok("1") {
        std::fs::write(file, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(file).unwrap_or_default();
    let differs = committed.lines().zip(generated.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| committed.lines().count().min(generated.lines().count())) + 1;
    assert!(
        committed == generated,
        "docs/openapi.json does not match the code (first difference in line {line}). Update it and review what changes for \
         callers:\n\n    {UPDATE}=1 cargo test -p flagservice-server openapi\n"
    );
}

#[apply(on_default_database)]
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
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    }
    let shown = anonymous.get("/docs/api/swagger-initializer.js").await;
    assert!(shown.text.contains("/openapi.json"), "{}", shown.text);
}

/// The problem response that an operation refers to.
fn problem<'a>(document: &'a Value, response: &Value) -> &'a Value {
    let name = response["$ref"].as_str().unwrap_or_else(|| panic!("{response} is not a problem"));
    document.pointer(name.trim_start_matches('#')).unwrap()
}

#[test]
fn every_operation_has_a_summary_and_documents_its_errors() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let summary = operation["summary"].as_str();
            assert!(summary.is_some_and(|summary| !summary.is_empty()), "{method} {path} has no summary");
            let responses = operation["responses"].as_object().unwrap();
            let problems = responses.iter().filter(|(status, _)| status.starts_with(['4', '5']));
            let mut statuses = Vec::new();
            for (status, response) in problems {
                let content = &problem(&document, response)["content"]["application/problem+json"];
                assert!(content["schema"].is_object(), "{status} of {method} {path}");
                assert_eq!(content["example"]["status"].to_string(), *status, "{method} {path}");
                statuses.push(status.as_str());
            }
            for always in ["401", "500", "503"] {
                assert!(statuses.contains(&always), "{method} {path} does not document {always}: {statuses:?}");
            }
        }
    }
}

#[test]
fn every_operation_has_its_own_readable_id() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let mut known = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no operationId"));
            let is_camel_case = id.starts_with(|first: char| first.is_ascii_lowercase())
                && id.chars().all(|character| character.is_ascii_alphanumeric())
                && id.chars().any(|character| character.is_ascii_uppercase());
            assert!(is_camel_case, "{method} {path}: write {id} as a verb and a noun, such as listFeatures");
            assert!(known.insert(id.to_owned()), "{id} of {method} {path} is the id of another operation too");
        }
    }
}

#[test]
fn operations_that_need_a_role_or_a_project_document_403() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let mut reads = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let everybody = operation["security"][0]["personalAccessToken"][0] == "readOnly";
            let in_project = path.contains("{projectKey}");
            if !everybody || in_project {
                assert!(operation["responses"].get("403").is_some(), "{method} {path}");
                reads += usize::from(method == "get" && !in_project);
            }
        }
    }
    assert_eq!(reads, 4, "the integrations, one of them, its deliveries, and the regions");
}

/// The schema of an `allOf` part.
fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    part["$ref"].as_str().map_or(part, |name| document.pointer(name.trim_start_matches('#')).unwrap())
}

/// With `additionalProperties: false`, one part of an `allOf` would reject the fields of the others.
#[test]
fn every_combined_schema_can_be_satisfied() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for part in schema["allOf"].as_array().into_iter().flatten() {
            assert_ne!(resolved(&document, part)["additionalProperties"], false, "{name}: {part}");
        }
    }
}

/// Generators take an object without fields for one that must be empty.
fn assert_objects_have_fields(schema: &Value, place: &str) {
    let kind = &schema["type"];
    if *kind == "object" || kind.as_array().is_some_and(|kinds| kinds.contains(&"object".into())) {
        let has_fields = schema["properties"].is_object() || schema.get("additionalProperties").is_some();
        assert!(has_fields, "{place}: {schema}");
    }
    match schema {
        Value::Object(parts) => {
            parts.iter().for_each(|(name, part)| assert_objects_have_fields(part, &format!("{place}/{name}")))
        }
        Value::Array(parts) => parts.iter().for_each(|part| assert_objects_have_fields(part, place)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_object_documents_its_fields() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let mut schema = schema.clone();
        schema.as_object_mut().unwrap().remove("example");
        assert_objects_have_fields(&schema, name);
    }
}

/// The names of the header parameters of an operation.
fn header_parameters(operation: &Value) -> Vec<&str> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.filter(|parameter| parameter["in"] == "header").map(|header| header["name"].as_str().unwrap()).collect()
}

#[test]
fn writes_document_their_headers_and_errors_document_retry_after() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            // Keys and tokens have no versions.
            let revoked = path.ends_with("{keyId}") || path.ends_with("{tokenId}");
            let expected: &[_] = match method.as_str() {
                // A preview writes nothing, and a repeated erasure finds nothing.
                "post" if path.ends_with("/preview") || path.ends_with("/erasures") => &[],
                "post" => &["Idempotency-Key"],
                "put" | "patch" => &["If-Match"],
                "delete" if !revoked => &["If-Match"],
                _ => &[],
            };
            assert_eq!(header_parameters(operation), expected, "{method} {path}");
            let taken = if header_parameters(operation).contains(&"If-Match") { "412" } else { "401" };
            assert!(operation["responses"].get(taken).is_some(), "{method} {path}");
            let timeout = problem(&document, &operation["responses"]["503"]);
            assert!(timeout["headers"]["Retry-After"]["schema"].is_object(), "{method} {path}");
        }
    }
}

/// Asserts that the items of all lists have a schema.
fn assert_items_documented(schema: &Value, place: &str) {
    if let Some(items) = schema.get("items") {
        assert!(items.as_object().is_some_and(|items| !items.is_empty()), "{place}: {schema}");
    }
    match schema {
        Value::Object(parts) => {
            parts.iter().for_each(|(name, part)| assert_items_documented(part, &format!("{place}/{name}")))
        }
        Value::Array(parts) => parts.iter().for_each(|part| assert_items_documented(part, place)),
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
            assert_items_documented(property.1, &format!("{name}/{}", property.0));
        }
    }
}
