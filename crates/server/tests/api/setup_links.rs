//! `/api/v1/users/{userId}/setup-link`: invited people create their own token, and nobody can stand for two people.

use flagservice_rules::Instant;
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::command::run::run;
use crate::fixture::{
    Caller, NOW, Server, environment, on_default_database, on_each_database, outbound, project, targeting_of,
};

const WEEK: i64 = 7 * 24 * 60 * 60 * 1000;

/// Adds a person, and returns the path of their set-up link.
async fn add_person(server: &Server, name: &str) -> String {
    let user = server.administrator().post("/api/v1/users", &json!({ "name": name, "role": "editor" })).await.ok(201);
    format!("/api/v1/users/{}/setup-link", user["id"].as_str().unwrap())
}

/// Creates a set-up link, and returns its secret.
async fn invite(caller: &Caller, path: &str) -> String {
    let link = caller.post(path, &Value::Null).await.ok(201);
    link["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
}

fn set_up(secret: &str) -> Value {
    json!({ "secret": secret, "name": "Laptop" })
}

#[apply(on_each_database)]
async fn an_invited_person_creates_their_own_token_with_a_link_that_works_once(database: Database) {
    let server = Server::start_with_destinations(&database, outbound("http://us.example", "http://eu.example")).await;
    let path = add_person(&server, "Nora").await;
    let link = server.administrator().post(&path, &Value::Null).await.ok(201);
    let url = link["url"].as_str().unwrap();
    assert!(url.starts_with("https://flags.example/set-up#setup-"), "{url}");
    assert_eq!(link["expiresAt"], "2026-11-28T10:00:00Z");
    let secret = url.split_once('#').unwrap().1;
    server.clock.set(Instant(NOW.0 + 1000));
    assert!(!server.stored_rows().await.contains(secret));

    let created = server.anonymous().post("/ui/set-up", &set_up(secret)).await;
    assert_eq!(created.header("cache-control"), Some("no-store"));
    let body = created.ok(201);
    assert_eq!((&body["user"]["name"], &body["user"]["role"]), (&json!("Nora"), &json!("editor")));
    let nora = server.caller(Some(body["token"].as_str().unwrap()));
    let me = nora.get("/api/v1/me").await.ok(200);
    assert_eq!(nora.get("/api/v1/tokens").await.column("createdBy"), [me["id"].clone()]);
    server.anonymous().post("/ui/set-up", &set_up(secret)).await.problem(401, "unauthenticated");
    let entry = &nora.get("/api/v1/audit-log?limit=1").await.items()[0];
    let administrator = server.administrator().get("/api/v1/me").await.ok(200);
    assert_eq!((&entry["action"], &entry["userName"]), (&json!("token.create"), &json!("Nora")));
    assert_eq!(entry["after"]["invitedBy"], administrator["id"]);
    // Like any token without an expiry: it is created a second later than the link.
    assert_eq!(nora.get("/api/v1/tokens").await.column("expiresAt"), ["2027-11-21T10:00:01Z"]);
}

#[apply(on_each_database)]
async fn a_link_that_expired_was_replaced_or_is_unknown_creates_no_token(database: Database) {
    let server = Server::start(&database).await;
    let path = add_person(&server, "Nora").await;
    let first = invite(&server.administrator(), &path).await;
    let second = invite(&server.administrator(), &path).await;
    server.clock.set(Instant(NOW.0 + WEEK));
    for secret in [first.as_str(), second.as_str(), "setup-unknown", ""] {
        server.anonymous().post("/ui/set-up", &set_up(secret)).await.problem(401, "unauthenticated");
    }
    server.clock.set(Instant(NOW.0 + WEEK - 1));
    server.anonymous().post("/ui/set-up", &set_up(&first)).await.problem(401, "unauthenticated");
    server.anonymous().post("/ui/set-up", &set_up(&second)).await.ok(201);
}

#[apply(on_default_database)]
async fn a_person_who_can_sign_in_gets_no_link_until_their_tokens_are_revoked_or_expired(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, editor) = (server.administrator(), server.editor());
    let me = editor.get("/api/v1/me").await.ok(200);
    let path = format!("/api/v1/users/{}/setup-link", me["id"].as_str().unwrap());
    let before = server.stored_rows().await;
    let refused = administrator.post(&path, &Value::Null).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("Edda Okafor"), "{refused}");
    server.assert_unchanged_since(&before).await;

    let expiring = json!({ "name": "Hour", "expiresAt": "2026-11-21T11:00:00Z" });
    editor.post("/api/v1/tokens", &expiring).await.ok(201);
    for token in editor.get("/api/v1/tokens").await.items().iter().filter(|token| token["name"] != "Hour") {
        administrator.delete(&format!("/api/v1/tokens/{}", token["id"].as_str().unwrap())).await.ok(204);
    }
    administrator.post(&path, &Value::Null).await.problem(409, "in-use");
    server.clock.set(Instant(NOW.0 + 60 * 60 * 1000));
    administrator.post(&path, &Value::Null).await.ok(201);
}

#[apply(on_each_database)]
async fn a_link_does_not_work_any_longer_when_its_person_has_got_a_token(database: Database) {
    let server = Server::start(&database).await;
    let path = add_person(&server, "Nora").await;
    let secret = invite(&server.administrator(), &path).await;
    let nora = path.split('/').nth(4).unwrap();
    run(&database, &["token", "create", "--user", nora]).await.ok();
    server.anonymous().post("/ui/set-up", &set_up(&secret)).await.problem(401, "unauthenticated");
    // Neither when that token is revoked: who can sign in no longer gets a new link.
    let tokens = server.administrator().get("/api/v1/tokens").await.items();
    let token = tokens.iter().find(|token| token["userId"] == nora).unwrap()["id"].as_str().unwrap();
    server.administrator().delete(&format!("/api/v1/tokens/{token}")).await.ok(204);
    server.anonymous().post("/ui/set-up", &set_up(&secret)).await.problem(401, "unauthenticated");
    let again = invite(&server.administrator(), &path).await;
    server.anonymous().post("/ui/set-up", &set_up(&again)).await.ok(201);
}

#[apply(on_each_database)]
async fn a_link_of_an_earlier_release_creates_no_token_for_who_can_sign_in(database: Database) {
    let server = Server::start(&database).await;
    let path = add_person(&server, "Nora").await;
    let secret = invite(&server.administrator(), &path).await;
    let editor = server.editor().get("/api/v1/me").await.ok(200);
    let mut write = server.app.store.write().await.unwrap();
    let given = sqlx::query("UPDATE setup_links SET user_id = $1").bind(editor["id"].as_str().unwrap());
    given.execute(write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();
    let before = server.stored_rows().await;
    server.anonymous().post("/ui/set-up", &set_up(&secret)).await.problem(401, "unauthenticated");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_token_that_another_person_created_decides_on_no_change(database: Database) {
    let server = Server::start(&database).await;
    let requester = server.administrator();
    requester.patch(&environment("production", ""), &json!({ "approvalRequired": true })).await.ok(200);
    let edit = json!({ "enabled": false });
    let pending = requester.patch(&targeting_of("search-suggestions", "production"), &edit).await.ok(202);
    let approval = project(&format!("/approvals/{}", pending["id"].as_str().unwrap()));
    // Earlier releases let administrators create tokens for others.
    for creator in [Role::Administrator, Role::Editor] {
        let borrowed = server.token_created_by(Role::ProductionEditor, creator).await;
        let borrower = server.caller(Some(&borrowed));
        for verb in ["approve", "reject"] {
            let problem = borrower.post(&format!("{approval}/{verb}"), &json!({})).await.problem(403, "forbidden");
            assert!(problem["detail"].as_str().unwrap().contains("created the token"), "{problem}");
        }
        assert_eq!(borrower.get("/api/v1/approvals").await.items(), [] as [Value; 0]);
    }
    assert!(!server.production_editor().get("/api/v1/approvals").await.items().is_empty());
    server.clock.set(Instant(NOW.0 + 1000));
    let approved = server.production_editor().post(&format!("{approval}/approve"), &json!({})).await.ok(200);
    let approver = server.production_editor().get("/api/v1/me").await.ok(200);
    assert_eq!(approved["decidedWith"]["createdBy"], approver["id"]);
    let entries = requester.get("/api/v1/audit-log?limit=2").await.items();
    assert!(entries.iter().all(|entry| entry["token"] == approved["decidedWith"]), "{entries:?}");
}
