//! What a restore brings back is listed, and can be revoked.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::run::run;
use crate::fixture::{Caller, Database, Server, environment, on_each_database, on_sqlite, project};

const TOKENS: &str = "/api/v1/tokens";

/// Creates a token for the caller, and returns its path and its text.
async fn create_token(caller: &Caller, name: &str) -> (String, String) {
    let created = caller.post(TOKENS, &json!({ "name": name })).await.ok(201);
    let text = |field: &str| created[field].as_str().unwrap().to_owned();
    (format!("{TOKENS}/{}", text("id")), text("token"))
}

/// Backs the database up, with a person, a token and a key, which are then removed.
async fn backup_and_remove(database: &Database) -> (String, String) {
    let server = Server::start(database).await;
    let (administrator, editor) = (server.administrator(), server.editor());
    let added = administrator.post("/api/v1/users", &json!({ "name": "Nora Berg", "role": "editor" })).await.ok(201);
    let (token, text) = create_token(&editor, "Leaked token").await;
    let keys = environment("staging", "/server-keys");
    let key = administrator.post(&keys, &json!({ "name": "Leaked key" })).await.ok(201);
    let edge_key = administrator.post(&project("/edge-keys"), &json!({ "name": "Leaked edge key" })).await.ok(201);
    let session = editor.sign_in().await;
    server.stop().await;
    let file = database.folder().join("backup.db");
    run(database, &["backup", file.to_str().unwrap()]).await.ok();

    let server = Server::start(database).await;
    let (administrator, editor) = (server.administrator(), server.editor());
    editor.delete(&token).await.ok(204);
    administrator.delete(&format!("{keys}/{}", key["id"].as_str().unwrap())).await.ok(204);
    administrator.delete(&project(&format!("/edge-keys/{}", edge_key["id"].as_str().unwrap()))).await.ok(204);
    administrator.delete(&format!("/api/v1/users/{}", added["id"].as_str().unwrap())).await.ok(204);
    create_token(&editor, "Later token").await;
    server.stop().await;
    (text, session.cookie().to_owned())
}

fn listed(output: &str) -> Vec<&str> {
    let names = ["Nora Berg", "Leaked token", "Leaked key", "Leaked edge key", "Later token", "Alma Lindqvist"];
    names.into_iter().filter(|name| output.contains(name)).collect()
}

async fn restore(database: &Database, more: &[&str]) -> String {
    let file = database.folder().join("backup.db");
    run(database, &[&["restore", file.to_str().unwrap(), "--replace"], more].concat()).await.ok()
}

#[apply(on_sqlite)]
async fn a_restore_lists_what_came_back_and_ends_sessions(database: Database) {
    let (token, cookie) = backup_and_remove(&database).await;
    let output = restore(&database, &[]).await;
    assert_eq!(listed(&output), ["Nora Berg", "Leaked token", "Leaked key", "Leaked edge key"], "{output}");
    assert!(output.contains("Ended 1 sessions"), "{output}");
    let server = Server::start(&database).await;
    server.caller(Some(&token)).get("/api/v1/me").await.ok(200);
    let request = server.anonymous().request(reqwest::Method::GET, "/ui/api/v1/me").header("cookie", cookie);
    server.anonymous().send(request).await.problem(401, "unauthenticated");
    assert_eq!(server.stored_rows().await.count("sessions"), 0);
}

#[apply(on_sqlite)]
async fn a_restore_of_a_database_that_is_the_same_brings_nothing_back(database: Database) {
    run(&database, &["backup", database.folder().join("backup.db").to_str().unwrap()]).await.ok();
    let output = restore(&database, &[]).await;
    assert!(output.contains("Nothing came back"), "{output}");
    assert_eq!(listed(&output), [""; 0]);
}

#[apply(on_sqlite)]
async fn without_an_old_database_all_that_works_is_listed(database: Database) {
    run(&database, &["backup", database.folder().join("backup.db").to_str().unwrap()]).await.ok();
    std::fs::remove_file(database.file()).unwrap();
    let output = restore(&database, &[]).await;
    assert!(output.contains("no old database") && output.contains("Alma Lindqvist"), "{output}");
}

#[apply(on_sqlite)]
async fn a_restore_can_revoke_all_tokens_and_the_keys_that_came_back(database: Database) {
    let (token, _) = backup_and_remove(&database).await;
    let output = restore(&database, &["--revoke-tokens"]).await;
    let administrator = Server::start(&database).await;
    for text in [token.as_str(), &database.credentials().tokens[&Role::Administrator].token] {
        administrator.caller(Some(text)).get("/api/v1/me").await.problem(401, "unauthenticated");
    }
    // A client key that was not revoked still works.
    administrator.browser("production").load_id("alice").await;
    administrator.stop().await;
    let (_, revoked) = output.split_once("Revoked all personal access tokens").unwrap();
    for name in ["Leaked token", "Leaked key", "Leaked edge key"] {
        assert!(revoked.contains(name), "{name} in {output}");
    }
    let command = revoked.lines().find(|line| line.contains("token create")).unwrap();
    let user = command.split("--user ").nth(1).unwrap().split(' ').next().unwrap();
    let created = run(&database, &["token", "create", "--user", user]).await.ok();
    let server = Server::start(&database).await;
    let me = server.caller(Some(created.trim())).get("/api/v1/me").await.ok(200);
    assert_eq!(me["role"], "administrator");
    let keys = server.caller(Some(created.trim())).get(&environment("staging", "/server-keys")).await.column("name");
    assert!(!keys.contains(&Value::from("Leaked key")), "{keys:?}");
    let edge_keys = server.caller(Some(created.trim())).get(&project("/edge-keys")).await.column("name");
    assert_eq!(edge_keys, [] as [Value; 0]);
}

#[apply(on_each_database)]
async fn renewed_epochs_can_revoke_all_tokens_and_keys(database: Database) {
    let output = run(&database, &["renew-epochs", "--revoke-tokens"]).await.ok();
    assert!(output.contains("token create --user"), "{output}");
    let server = Server::start(&database).await;
    server.administrator().get("/api/v1/me").await.problem(401, "unauthenticated");
    let load = server.browser("production").post_load("{\"user\":{\"id\":\"alice\"}}").await;
    load.problem(404, "unknown-client-key");
}
