//! `Idempotency-Key`: a repeated creation runs once.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{NOW, Receiver, Server, at, environment, features, on_each_database, outbound, project};

/// How long a response is stored, in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Every path that creates something, with a valid body and the response field that shows a secret.
fn creations(user: &str) -> Vec<(String, Value, Option<&'static str>)> {
    let named = json!({ "key": "new", "name": "New" });
    let analytics = json!({ "apiKey": "key", "secretKey": "secret", "region": "US" });
    let integration = json!({ "type": "analytics", "enabled": true, "configuration": { "analytics": analytics } });
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    vec![
        ("/api/v1/users".to_owned(), json!({ "name": "Nora", "role": "editor" }), None),
        (format!("/api/v1/users/{user}/setup-link"), Value::Null, Some("url")),
        ("/api/v1/tokens".to_owned(), json!({ "name": "Robot" }), Some("token")),
        ("/api/v1/projects".to_owned(), named.clone(), None),
        (project("/environments"), named.clone(), None),
        (environment("staging", "/client-keys"), json!({ "name": "Web" }), Some("key")),
        (environment("staging", "/server-keys"), json!({ "name": "Web" }), Some("key")),
        (project("/edge-keys"), json!({ "name": "Edge" }), Some("key")),
        (
            environment("staging", "/experiments"),
            json!({ "key": "new", "name": "New", "featureKey": "reviews", "goals": [{ "key": "purchase", "role": "primary" }] }),
            None,
        ),
        (project("/audiences"), json!({ "key": "new", "name": "New", "conditions": [] }), None),
        (project("/pipelines"), json!({ "key": "new", "name": "New", "phases": phases }), None),
        (features(""), named, None),
        // Last, because later changes would be queued for the integration in the background.
        ("/api/v1/admin/integrations/outbound".to_owned(), integration, None),
    ]
}

#[test]
fn every_creating_route_is_covered_by_these_tests() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut documented: Vec<_> =
        paths.iter().filter(|(_, item)| item["post"].is_object()).map(|(path, _)| path).collect();
    documented.sort();
    // Actions on existing resources are tested in `approvals/audit.rs`, `phases.rs`, `environments/copy/idempotency.rs`,
    // `integrations.rs`, `integrations/webhooks.rs`, `edge_keys.rs` and `experiments.rs`. A preview writes nothing, and an erasure finds
    // nothing again (`erasure.rs`).
    let acting = [
        "/break-glass",
        "/next-phase",
        "/environments/copy",
        "/outbound/{id}/test",
        "/outbound/{id}/secret",
        "/edge-keys/{keyId}/rotate",
        "/preview",
        "/erasures",
        "/experiments/{experimentKey}/start",
        "/experiments/{experimentKey}/stop",
    ];
    documented.retain(|path| !path.contains("{approvalId}") && !acting.iter().any(|end| path.ends_with(end)));
    let filled = |path: &str| {
        path.replace("{userId}", "nora").replace("{projectKey}", "shop").replace("{environmentKey}", "staging")
    };
    let mut proved: Vec<_> = creations("nora").into_iter().map(|(path, ..)| path).collect();
    proved.sort();
    let mut documented: Vec<_> = documented.into_iter().map(|path| filled(path)).collect();
    documented.sort();
    assert_eq!(documented, proved);
}

#[apply(on_each_database)]
async fn a_repeated_creation_has_the_same_response_and_one_effect(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let added = administrator.post("/api/v1/users", &json!({ "name": "Added", "role": "editor" })).await.ok(201);
    for (number, (path, body, secret)) in creations(added["id"].as_str().unwrap()).into_iter().enumerate() {
        let key = format!("key-{number}");
        let first = administrator.post_once(&path, &key, &body).await;
        let mut expected = first.ok(201);
        let before = server.stored_rows().await;
        let again = administrator.post_once(&path, &key, &body).await;
        server.assert_unchanged_since(&before).await;
        // A secret is shown only once.
        if let Some(field) = secret {
            let shown = expected.as_object_mut().unwrap().remove(field).unwrap();
            let shown = shown.as_str().unwrap();
            assert!(!again.text.contains(shown), "{path}");
            assert!(!before.contains(shown), "{path}");
        }
        assert_eq!(again.ok(201), expected, "{path}");
        assert_eq!(again.header("content-type"), first.header("content-type"));
    }
}

#[apply(on_each_database)]
async fn another_body_or_path_with_the_same_key_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let (path, new) = (features(""), json!({ "key": "new", "name": "New" }));
    administrator.post_once(&path, "key", &new).await.ok(201);
    let before = server.stored_rows().await;
    for (path, body) in [
        (path.clone(), json!({ "key": "new", "name": "Newer" })),
        (path.clone(), json!({ "key": "newer", "name": "New" })),
        (project("/environments"), new.clone()),
        ("/api/v1/projects".to_owned(), new.clone()),
    ] {
        assert_eq!(administrator.post_once(&path, "key", &body).await.pointers(), ["/Idempotency-Key"], "{path}");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn the_same_key_of_another_person_is_another_request(database: Database) {
    let server = Server::start(&database).await;
    let body = |key: &str| json!({ "key": key, "name": "New" });
    server.editor().post_once(&features(""), "key", &body("one")).await.ok(201);
    server.administrator().post_once(&features(""), "key", &body("two")).await.ok(201);
    // It is not another person's response.
    let taken = server.production_editor().post_once(&features(""), "key", &body("one")).await;
    taken.problem(409, "exists");
    // Keys belong to the person, not to the token.
    let token = server.token(flagservice_server::domain::role::Role::Editor, None).await;
    server.caller(Some(&token)).post_once(&features(""), "key", &body("one")).await.ok(201);
}

#[apply(on_each_database)]
async fn an_idempotency_key_expires_after_24_hours(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let new = json!({ "key": "new", "name": "New" });
    let first = editor.post_once(&features(""), "key", &new).await.ok(201);
    server.clock.set(Instant(NOW.0 + DAY - 1));
    assert_eq!(editor.post_once(&features(""), "key", &new).await.ok(201), first);
    server.clock.set(Instant(NOW.0 + DAY + 1));
    editor.post_once(&features(""), "key", &new).await.problem(409, "exists");
    let other = json!({ "key": "other", "name": "Other" });
    editor.post_once(&features(""), "key", &other).await.ok(201);
    assert_eq!(server.stored_rows().await.count("idempotency_records"), 1);
}

#[apply(on_each_database)]
async fn a_failed_request_does_not_use_up_its_key(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    editor.get("/api/v1/me").await.ok(200);
    let before = server.stored_rows().await;
    let with = |variants: Value| json!({ "key": "new", "name": "New", "variants": variants });
    let post = async |body: &Value| editor.post_once(&features(""), "key", body).await;
    assert_eq!(post(&with(json!(["only"]))).await.pointers(), ["/variants"]);
    assert_eq!(post(&with(json!([1, 2]))).await.pointers(), ["/variants/0"]);
    post(&json!({ "key": "reviews", "name": "Taken" })).await.problem(409, "exists");
    editor.post_once("/api/v1/projects", "key", &json!({ "key": "a", "name": "" })).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    post(&with(json!(["red", "off"]))).await.ok(201);
}

#[apply(on_each_database)]
async fn an_empty_or_too_long_key_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    editor.get("/api/v1/me").await.ok(200);
    let before = server.stored_rows().await;
    let new = json!({ "key": "new", "name": "New" });
    for key in ["", &"k".repeat(201)] {
        assert_eq!(editor.post_once(&features(""), key, &new).await.pointers(), ["/Idempotency-Key"]);
    }
    server.assert_unchanged_since(&before).await;
    editor.post_once(&features(""), &"k".repeat(200), &new).await.ok(201);
}

#[apply(on_each_database)]
async fn concurrent_identical_requests_have_one_effect_and_the_same_response(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let path = features("");
    for round in 0..3 {
        let (key, new) = (format!("key-{round}"), json!({ "key": format!("new-{round}"), "name": "New" }));
        let send = || editor.post_once(&path, &key, &new);
        let responses = futures_util::future::join_all((0..8).map(|_| send())).await;
        let done: Vec<_> = responses.iter().filter(|response| response.status == 201).collect();
        assert!(!done.is_empty());
        assert!(done.iter().all(|response| response.text == done[0].text));
        for response in responses.iter().filter(|response| response.status != 201) {
            response.problem(409, "still-running");
        }
    }
    assert_eq!(editor.get(&features("?limit=200")).await.items().len(), 12 + 3);
}

#[apply(on_each_database)]
async fn a_repeated_request_leaves_no_second_audit_record_and_wakes_no_stream(database: Database) {
    let server = Server::start(&database).await;
    let (editor, new) = (server.editor(), json!({ "key": "new", "name": "New" }));
    server.clock.set(at("2026-11-21T11:00:00Z"));
    for _ in 0..3 {
        editor.post_once(&features(""), "key", &new).await.ok(201);
    }
    let traces = editor.get("/api/v1/audit-log?from=2026-11-21T11:00:00Z").await;
    assert_eq!(traces.column("action"), ["feature.create"]);
}
