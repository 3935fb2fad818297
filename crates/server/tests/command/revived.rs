//! What a restore brings back is listed, and can be revoked.

use flagservice_rules::Instant;
use flagservice_server::domain::role::Role;
use jiff::{SignedDuration, Timestamp};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::run::run;
use crate::fixture::{
    Caller, Database, Engine, Server, environment, on_each_database, on_sqlite, project, targeting_of,
};

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

/// Schedules a switch of the feature in staging, so many minutes from now. Returns the path of the change.
async fn schedule(caller: &Caller, feature: &str, enabled: bool, minutes: i64) -> String {
    let time = Timestamp::now() + SignedDuration::from_mins(minutes);
    let edit = json!({ "enabled": enabled, "scheduledFor": time.to_string() });
    let scheduled = caller.patch(&targeting_of(feature, "staging"), &edit).await.ok(202);
    project(&format!("/approvals/{}", scheduled["id"].as_str().unwrap()))
}

#[apply(on_each_database)]
async fn scheduled_changes_whose_time_passed_before_the_restore_are_given_up_and_listed(database: Database) {
    let now = Instant(Timestamp::now().as_millisecond());
    let server = Server::start(&database).await;
    server.clock.set(Instant(now.0 - 2 * 60 * 60 * 1000));
    let editor = server.editor();
    let missed = schedule(&editor, "reviews", false, -60).await;
    let later = schedule(&editor, "reviews", true, 60 * 24).await;
    let to_come = schedule(&editor, "search-suggestions", false, 60 * 24).await;
    server.stop().await;
    let output = if database.engine() == Engine::Sqlite {
        run(&database, &["backup", database.folder().join("backup.db").to_str().unwrap()]).await.ok();
        restore(&database, &[]).await
    } else {
        run(&database, &["renew-epochs"]).await.ok()
    };
    let (_, listed) = output.split_once("These scheduled changes are not made").expect(&output);
    let rows = listed.lines().skip(2).take_while(|line| line.contains("staging")).collect::<Vec<_>>();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.contains("reviews") && row.contains("Edda")), "{output}");

    let server = Server::start(&database).await;
    server.clock.set(Instant(now.0 + 60 * 1000));
    let editor = server.editor();
    let state = async |change: &str| editor.get(change).await.ok(200)["state"].clone();
    for (change, expected) in [(&missed, "stale"), (&later, "stale"), (&to_come, "scheduled")] {
        assert_eq!(state(change).await, expected, "{change}");
    }
    let detail = editor.get(&missed).await.ok(200)["stale"]["detail"].clone();
    assert_eq!(detail, "The change was refused at its time: that had passed when a backup was restored");
    assert_eq!(editor.get(&targeting_of("reviews", "staging")).await.ok(200)["enabled"], true);
    let log = server.administrator().get("/api/v1/audit-log?action=change.stale").await.items();
    assert_eq!(log.len(), 2, "{log:?}");
}
