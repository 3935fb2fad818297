//! The OpenAPI document: generated from the code, committed as `docs/openapi.json`, served and browsable.

use std::path::Path;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::fixture::{Server, on_each_database};

/// When it is `1`, the committed document is written anew.
const UPDATE: &str = "FLAGSERVICE_UPDATE";

#[test]
fn the_committed_document_is_the_one_that_the_code_makes() {
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
async fn the_document_is_served_and_can_be_browsed_without_a_token(database: Database) {
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

#[test]
fn every_operation_says_what_it_does_and_how_it_fails() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let summary = operation["summary"].as_str();
            assert!(summary.is_some_and(|summary| !summary.is_empty()), "{method} {path} has no summary");
            let problem = &operation["responses"]["default"]["content"]["application/problem+json"];
            assert!(problem["schema"].is_object(), "{method} {path} tells no problem");
        }
    }
}
