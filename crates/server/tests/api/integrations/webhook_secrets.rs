//! The URL and the signing secret of a webhook leave the server only with deliveries; the secret is shown once.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::webhooks::webhook;
use super::{create, path, start};
use crate::fixture::{Engine, Receiver, Reply, ServerProcess, on_default_database, targeting_of};

const PATH: &str = "/hooks/path-4711-of-the-url";
const QUERY: &str = "token=query-0815-of-the-url";

fn assert_without(place: &str, text: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!text.contains(secret), "{place} holds {secret}: {text}");
    }
}

#[apply(on_default_database)]
async fn urls_and_signing_secrets_appear_in_no_response_log_audit_record_or_database_file(database: Database) {
    let receiver = Receiver::start().await;
    receiver.reply_always(Reply::status("400 Bad Request", "", &format!("You called {PATH}?{QUERY}")));
    let mut server = ServerProcess::start_with(&database, &["--private-destination", "127.0.0.0/8"]).await;
    let administrator = server.person(Role::Administrator);
    let new = webhook(&format!("{}{PATH}?{QUERY}", receiver.address()));
    let created = administrator.post_once(&path(""), "once", &new).await.ok(201);
    let (id, secret) = (created["id"].as_str().unwrap().to_owned(), created["signingSecret"].as_str().unwrap());
    let mut responses = vec![administrator.post_once(&path(""), "once", &new).await];
    assert_eq!(responses[0].ok(201).get("signingSecret"), None, "a repeat does not show it");
    responses.push(administrator.put(&path(&format!("/{id}")), &new).await);
    let rotated = administrator.post(&path(&format!("/{id}/secret")), &Value::Null).await.ok(200);
    let rotated = rotated["signingSecret"].as_str().unwrap();
    let mut wrong = new.clone();
    wrong["configuration"]["webhook"]["url"] = json!(format!("https://10.0.0.1{PATH}?{QUERY}"));
    responses.push(administrator.put(&path(&format!("/{id}")), &wrong).await);
    wrong["configuration"]["webhook"]["url"] = json!({ "is": PATH });
    responses.push(administrator.put(&path(&format!("/{id}")), &wrong).await);
    responses.push(administrator.post_once(&path(&format!("/{id}/test")), "test", &json!({})).await);
    administrator.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    let sent = receiver.receive(4).await;
    assert!(sent.iter().all(|request| request.line() == format!("POST {PATH}?{QUERY} HTTP/1.1")));
    for read in ["", &format!("/{id}"), &format!("/{id}/deliveries")] {
        responses.push(administrator.get(&path(read)).await);
    }
    for read in ["/api/v1/audit-log", "/metrics", "/openapi.json"] {
        responses.push(administrator.get(read).await);
    }
    assert!(responses.iter().any(|response| response.text.contains("You called …")), "shown without the URL");
    let secrets = [PATH, QUERY, secret, rotated];
    for response in &responses {
        assert_without("an answer", &response.text, &secrets);
    }
    let audit = administrator.get("/api/v1/audit-log").await.items();
    let actions: Vec<_> = audit.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert!(actions.contains(&"integration.rotate-secret") && actions.contains(&"integration.create"), "{actions:?}");
    let log = server.stop().await;
    assert!(log.contains("/admin/integrations/outbound"), "the log contains the requests: {log}");
    assert_without("the log", &log, &secrets);
    if database.engine() == Engine::Sqlite {
        for file in std::fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().path()) {
            let bytes = std::fs::read(&file).unwrap();
            assert_without(&file.display().to_string(), &String::from_utf8_lossy(&bytes), &secrets);
        }
    }
}

/// Everybody who signs in can read the audit log.
#[apply(on_default_database)]
async fn parts_of_the_url_are_redacted_however_they_are_written_and_the_audit_log_has_the_status_alone(
    database: Database,
) {
    let (server, receiver) = start(&database).await;
    let url = format!("{}/services/tok%2Fen-4711?wait=1&key=va%2Flue-0815", receiver.address());
    let id = create(&server, &webhook(&url)).await;
    let repeated = r#"No tok/en-4711, tok\/en-4711 or tok%2Fen-4711 of services; key: va/lue-0815, "va\/lue-0815""#;
    receiver.reply_always(Reply::status("400 Bad Request", "", repeated));
    let _time = server.run_clock_fast();
    let shown = server.administrator().post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    assert_eq!(shown["lastDeliveryDetail"], "400 Bad Request: No …, … or … of …; key: …, \"…\"");
    let audit = server.read_only().get("/api/v1/audit-log").await.items();
    let tested = audit.iter().find(|entry| entry["action"] == "integration.test").unwrap();
    assert_eq!(tested["after"], json!({ "success": false, "status": 400 }));
}

#[apply(on_default_database)]
async fn both_signing_secrets_of_a_webhook_are_redacted(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let created = administrator.post(&path(""), &webhook(receiver.address())).await.ok(201);
    let (id, first) = (created["id"].as_str().unwrap(), created["signingSecret"].as_str().unwrap());
    let rotated = administrator.post(&path(&format!("/{id}/secret")), &Value::Null).await.ok(200);
    let expected = format!("Expected {} or {first}", rotated["signingSecret"].as_str().unwrap());
    receiver.reply_always(Reply::status("400 Bad Request", "", &expected));
    let _time = server.run_clock_fast();
    let shown = administrator.post(&path(&format!("/{id}/test")), &json!({})).await.ok(200);
    assert_eq!(shown["lastDeliveryDetail"], "400 Bad Request: Expected … or …");
}
