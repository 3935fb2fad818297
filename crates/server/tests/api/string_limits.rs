//! Maximum lengths of names, descriptions and tags, on every path and in the OpenAPI document.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Server, environment, features, on_default_database, project, targeting_of};

const NAME: usize = 200;
const DESCRIPTION: usize = 5_000;
const TAG: usize = 100;

/// A write, the pointer of a string in it, its maximum length, and whether it may be blank.
type Row = (Method, String, Value, &'static str, usize, bool);

/// Every path that takes a string written by people. `{n}` in a key is replaced by a number.
fn rows() -> Vec<Row> {
    let (post, patch, put) = (Method::POST, Method::PATCH, Method::PUT);
    let created = |rest: Value| {
        let mut body = json!({ "key": "key-{n}", "name": "New" });
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        body
    };
    let phases = json!({ "phases": [{ "name": "First", "environmentKey": "staging" }] });
    let rule = json!({ "name": "", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    let targeting = json!({ "enabled": true, "offVariantKey": "off", "rules": [rule] });
    let named = json!({ "name": "New" });
    let feature = created(json!({ "description": "", "tags": ["a", "b"] }));
    let edit = json!({ "name": "New", "description": "", "tags": ["a", "b"] });
    let mut rows = vec![
        (patch.clone(), "/api/v1/organisation".to_owned(), named.clone(), "/name", NAME, false),
        (post.clone(), "/api/v1/users".to_owned(), json!({ "name": "New", "role": "editor" }), "/name", NAME, false),
        (post.clone(), "/api/v1/tokens".to_owned(), named.clone(), "/name", NAME, false),
        (post.clone(), "/api/v1/projects".to_owned(), created(json!({})), "/name", NAME, false),
        (patch.clone(), project(""), named.clone(), "/name", NAME, false),
        (post.clone(), project("/environments"), created(json!({})), "/name", NAME, false),
        (patch.clone(), environment("staging", ""), named.clone(), "/name", NAME, false),
        (post.clone(), environment("staging", "/client-keys"), named.clone(), "/name", NAME, false),
        (post.clone(), environment("staging", "/server-keys"), named.clone(), "/name", NAME, false),
        (post.clone(), project("/edge-keys"), named.clone(), "/name", NAME, false),
        (post.clone(), project("/audiences"), created(json!({ "conditions": [] })), "/name", NAME, false),
        (patch.clone(), project("/audiences/beta-testers"), named.clone(), "/name", NAME, false),
        (patch.clone(), project("/pipelines/release"), named, "/name", NAME, false),
        (patch.clone(), project("/pipelines/release"), phases.clone(), "/phases/0/name", NAME, false),
        (put, targeting_of("reviews", "staging"), targeting.clone(), "/rules/0/name", NAME, true),
        (patch.clone(), targeting_of("reviews", "staging"), targeting, "/rules/0/name", NAME, true),
    ];
    let experiment = created(json!({ "featureKey": "reviews", "goals": [{ "key": "purchase", "role": "primary" }] }));
    rows.push((post.clone(), environment("staging", "/experiments"), experiment, "/name", NAME, false));
    for pointer in ["/name", "/phases/0/name"] {
        rows.push((post.clone(), project("/pipelines"), created(phases.clone()), pointer, NAME, false));
    }
    for (pointer, most, blank) in [("/name", NAME, false), ("/description", DESCRIPTION, true), ("/tags/1", TAG, false)]
    {
        rows.push((post.clone(), features(""), feature.clone(), pointer, most, blank));
        rows.push((patch.clone(), features("/reviews"), edit.clone(), pointer, most, blank));
    }
    rows
}

/// The body with another string and a new key.
fn with(body: &Value, pointer: &str, text: &str, number: usize) -> Value {
    let mut body: Value = serde_json::from_str(&body.to_string().replace("{n}", &number.to_string())).unwrap();
    *body.pointer_mut(pointer).unwrap() = json!(text);
    body
}

#[apply(on_default_database)]
async fn every_string_has_a_maximum_length_and_names_are_not_blank(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    let release = json!({ "key": "release", "name": "R", "phases": phases });
    administrator.post(&project("/pipelines"), &release).await.ok(201);
    let audience = json!({ "key": "beta-testers", "name": "Beta", "conditions": [] });
    if administrator.get(&project("/audiences/beta-testers")).await.status == 404 {
        administrator.post(&project("/audiences"), &audience).await.ok(201);
    }
    for (number, (method, path, body, pointer, most, may_be_blank)) in rows().into_iter().enumerate() {
        let send = async |text: &str| {
            let request = administrator.request(method.clone(), &path);
            administrator.send(request.json(&with(&body, pointer, text, number))).await
        };
        let before = server.stored_rows().await;
        let too_long = send(&"ä".repeat(most + 1)).await;
        assert_eq!(too_long.pointers(), [pointer], "{method} {path}");
        let detail = too_long.ok(422)["detail"].to_string();
        assert!(detail.contains(&most.to_string()) && detail.contains("shorten"), "{detail}");
        assert_eq!(send("a\u{0}b").await.pointers(), [pointer], "{method} {path}");
        if !may_be_blank {
            for blank in ["", "  ", "\t\n", "\u{a0}\u{2003}"] {
                assert_eq!(send(blank).await.pointers(), [pointer], "{method} {path} {blank:?}");
            }
        }
        server.assert_unchanged_since(&before).await;
        let longest = send(&"ä".repeat(most)).await;
        assert!(longest.status == 200 || longest.status == 201, "{method} {path}: {}", longest.text);
    }
}

#[apply(on_default_database)]
async fn renaming_a_person_has_the_same_limits(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let me = administrator.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/users/{me}");
    for wrong in [" ".to_owned(), "ä".repeat(NAME + 1)] {
        assert_eq!(administrator.patch(&path, &json!({ "name": wrong })).await.pointers(), ["/name"]);
    }
    administrator.patch(&path, &json!({ "name": "ä".repeat(NAME) })).await.ok(200);
}

/// The schema of every such string in a request body, with its path.
fn texts(document: &Value) -> Vec<(String, &Value)> {
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let is_written = |name: &str| name.starts_with("New") || name.ends_with("Edit") || name == "Rule";
    let written = schemas.iter().filter(|(name, _)| is_written(name));
    let fields = written.flat_map(|(name, schema)| {
        ["name", "description", "tags"].map(|field| (format!("{name}.{field}"), &schema["properties"][field]))
    });
    fields.filter(|(_, text)| !text.is_null()).collect()
}

#[test]
fn the_openapi_document_states_the_same_limits() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let schema = |name: &str| &document["components"]["schemas"][name];
    for (name, least, most) in
        [("Name", Some(1), NAME), ("Description", None, DESCRIPTION), ("Tag", Some(1), TAG), ("RuleName", None, NAME)]
    {
        assert_eq!(schema(name)["maxLength"], json!(most), "{name}");
        assert_eq!(schema(name)["minLength"].as_u64(), least, "{name}");
    }
    let mut kinds = BTreeSet::new();
    for (place, text) in texts(&document) {
        let kind = ["Name", "Description", "Tag", "RuleName"]
            .into_iter()
            .find(|kind| text.to_string().contains(&format!("schemas/{kind}\"")));
        kinds.insert(kind.unwrap_or_else(|| panic!("{place} has no limit: {text}")));
    }
    assert_eq!(kinds.len(), 4);
}
