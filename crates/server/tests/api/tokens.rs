//! `/api/v1/tokens`: personal access tokens.

use std::time::Duration;

use flagservice_rules::Instant;
use flagservice_server::domain::retention::Retention;
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, NOW, Server, eventually, on_default_database, on_each_database, targeting_of};

const TOKENS: &str = "/api/v1/tokens";

const YEAR: i64 = 365 * 24 * 60 * 60 * 1000;

/// Creates a token: returns the response, and a caller with it.
async fn new_token(server: &Server, caller: &Caller, body: &Value) -> (Value, Caller) {
    let created = caller.post(TOKENS, body).await.ok(201);
    let bearer = server.caller(Some(created["token"].as_str().unwrap()));
    (created, bearer)
}

fn path_of(token: &Value) -> String {
    format!("{TOKENS}/{}", token["id"].as_str().unwrap())
}

async fn id_of(caller: &Caller) -> Value {
    caller.get("/api/v1/me").await.ok(200)["id"].clone()
}

/// The token in the list.
async fn listed(caller: &Caller, token: &Value) -> Value {
    let found = caller.get(TOKENS).await.items();
    found.into_iter().find(|listed| listed["id"] == token["id"]).expect("the token in the list")
}

/// Uses the token until this is the time of its last use. While the database is busy, a use is not noted, but a later one is.
async fn use_until_noted(bearer: &Caller, owner: &Caller, token: &Value, at: &str) {
    eventually(&format!("the use at {at} is noted"), async || {
        bearer.get("/api/v1/me").await.ok(200);
        listed(owner, token).await["lastUsedAt"] == at
    })
    .await;
}

#[apply(on_default_database)]
async fn a_token_is_shown_only_when_it_is_created_and_only_its_hash_is_stored(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let (created, bearer) = new_token(&server, &editor, &json!({ "name": "Laptop" })).await;
    let text = created["token"].as_str().unwrap();
    assert!(text.starts_with("api-"), "{text}");
    // 128 random bits need at least this many base 32 characters.
    assert!(text.len() >= 4 + 26, "{text}");
    assert_eq!(created["hint"].as_str().unwrap(), &text[text.len() - 4..]);
    use_until_noted(&bearer, &editor, &created, "2026-11-21T10:00:00Z").await;

    let list = editor.get(TOKENS).await;
    assert!(!list.text.contains(text), "{}", list.text);
    let expected = json!({
        "id": created["id"], "userId": id_of(&editor).await, "createdBy": id_of(&editor).await, "name": "Laptop",
        "hint": created["hint"],
        "createdAt": "2026-11-21T10:00:00Z", "expiresAt": "2027-11-21T10:00:00Z", "lastUsedAt": "2026-11-21T10:00:00Z",
    });
    assert_eq!(listed(&editor, &created).await, expected);
    let stored = server.stored_rows().await;
    assert!(!stored.contains(text) && !stored.contains(&text[4..]));
}

#[apply(on_default_database)]
async fn two_tokens_are_never_the_same(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let (first, _) = new_token(&server, &editor, &json!({ "name": "Laptop" })).await;
    let (second, _) = new_token(&server, &editor, &json!({ "name": "Laptop" })).await;
    assert_ne!(first["token"], second["token"]);
    assert_ne!(first["id"], second["id"]);
}

#[apply(on_default_database)]
async fn a_token_is_valid_until_its_expiry(database: Database) {
    let server = Server::start(&database).await;
    let new = json!({ "name": "Week", "expiresAt": "2026-11-28T10:00:00+00:00" });
    let (created, bearer) = new_token(&server, &server.editor(), &new).await;
    assert_eq!(created["expiresAt"], "2026-11-28T10:00:00Z");
    const WEEK: i64 = 7 * 24 * 60 * 60 * 1000;
    server.clock.set(Instant(NOW.0 + WEEK - 1));
    bearer.get("/api/v1/me").await.ok(200);
    server.clock.set(Instant(NOW.0 + WEEK));
    bearer.get("/api/v1/me").await.problem(401, "unauthenticated");
}

#[apply(on_default_database)]
async fn a_token_without_an_expiry_expires_a_year_later_and_null_means_never(database: Database) {
    let server = Server::start(&database).await;
    let (expiring, first) = new_token(&server, &server.editor(), &json!({ "name": "Laptop" })).await;
    assert_eq!(expiring["expiresAt"], "2027-11-21T10:00:00Z");
    let (lasting, second) = new_token(&server, &server.editor(), &json!({ "name": "Robot", "expiresAt": null })).await;
    assert_eq!(lasting.get("expiresAt"), None);
    server.clock.set(Instant(NOW.0 + YEAR - 1));
    first.get("/api/v1/me").await.ok(200);
    server.clock.set(Instant(NOW.0 + YEAR));
    first.get("/api/v1/me").await.problem(401, "unauthenticated");
    server.clock.set(Instant(NOW.0 + 50 * YEAR));
    second.get("/api/v1/me").await.ok(200);
}

#[apply(on_default_database)]
async fn the_operator_decides_when_tokens_expire_and_that_they_do_not(database: Database) {
    for (lifetime, expected) in
        [(Some(Duration::from_hours(30 * 24)), json!("2026-12-21T10:00:00Z")), (None, Value::Null)]
    {
        let retention = Retention { access_token: lifetime, ..Retention::default() };
        let server = Server::start_with_retention(&database, retention).await;
        let (created, _) = new_token(&server, &server.editor(), &json!({ "name": "Laptop" })).await;
        assert_eq!(created["expiresAt"], expected);
        server.stop().await;
    }
}

#[apply(on_default_database)]
async fn a_token_that_never_expires_stays_so(database: Database) {
    let token = {
        let server = Server::start(&database).await;
        let token = server.token(Role::Editor, None).await;
        server.stop().await;
        token
    };
    let server = Server::start(&database).await;
    server.clock.set(Instant(NOW.0 + 2 * YEAR));
    let caller = server.caller(Some(&token));
    caller.get("/api/v1/me").await.ok(200);
    assert!(caller.get(TOKENS).await.items().iter().all(|token| token.get("expiresAt").is_none()));
}

#[apply(on_default_database)]
async fn a_past_or_invalid_expiry_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    editor.get(TOKENS).await.ok(200);
    let before = server.stored_rows().await;
    for expiry in ["2026-11-21T10:00:00Z", "2020-01-01T00:00:00Z", "2026-11-28", "soon", ""] {
        let refused = editor.post(TOKENS, &json!({ "name": "Laptop", "expiresAt": expiry })).await;
        assert_eq!(refused.pointers(), ["/expiresAt"], "{expiry}");
    }
    // It has the form of a time, and is none that can be kept.
    let refused = editor.post(TOKENS, &json!({ "name": "Laptop", "expiresAt": "9999-12-31T23:59:59Z" })).await;
    let detail = refused.problem(422, "invalid")["errors"][0]["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("at the latest 9999-12-30T22:00:00Z"), "{detail}");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_revoked_token_stops_working_at_once_and_is_not_listed(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let (created, bearer) = new_token(&server, &editor, &json!({ "name": "Laptop" })).await;
    bearer.get("/api/v1/me").await.ok(200);
    editor.delete(&path_of(&created)).await.ok(204);
    bearer.get("/api/v1/me").await.problem(401, "unauthenticated");
    assert_eq!(editor.get(TOKENS).await.column("name"), ["Demo"]);
    editor.delete(&path_of(&created)).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn a_token_can_revoke_itself(database: Database) {
    let server = Server::start(&database).await;
    let (created, bearer) = new_token(&server, &server.read_only(), &json!({ "name": "Laptop" })).await;
    bearer.delete(&path_of(&created)).await.ok(204);
    bearer.get("/api/v1/me").await.problem(401, "unauthenticated");
}

#[apply(on_default_database)]
async fn the_time_of_last_use_is_shown_to_the_minute(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let (created, bearer) = new_token(&server, &editor, &json!({ "name": "Laptop" })).await;
    assert_eq!(listed(&editor, &created).await["lastUsedAt"], Value::Null);
    for (after, expected) in [(0, "10:00:00"), (59_999, "10:00:00"), (60_000, "10:01:00"), (120_000, "10:02:00")] {
        server.clock.set(Instant(NOW.0 + after));
        use_until_noted(&bearer, &editor, &created, &format!("2026-11-21T{expected}Z")).await;
    }
}

#[apply(on_default_database)]
async fn people_see_and_revoke_only_their_own_tokens_and_administrators_all_tokens(database: Database) {
    let server = Server::start(&database).await;
    let (editor, other) = (server.editor(), server.production_editor());
    // The list starts with the oldest.
    server.clock.set(Instant(NOW.0 + 1));
    let (created, bearer) = new_token(&server, &editor, &json!({ "name": "Laptop" })).await;
    assert_eq!(editor.get(TOKENS).await.column("name"), ["Demo", "Laptop"]);
    assert_eq!(other.get(TOKENS).await.column("name"), ["Demo"]);
    let before = server.stored_rows().await;
    other.delete(&path_of(&created)).await.problem(404, "not-found");
    server.assert_unchanged_since(&before).await;

    let everybodys = server.administrator().get(TOKENS).await.column("name");
    assert_eq!(everybodys.iter().filter(|name| *name == "Demo").count(), 4);
    assert!(everybodys.contains(&json!("Laptop")));
    server.administrator().delete(&path_of(&created)).await.ok(204);
    bearer.get("/api/v1/me").await.problem(401, "unauthenticated");
}

#[apply(on_default_database)]
async fn nobody_can_create_tokens_for_others(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    let (own, others) = (id_of(&editor).await, id_of(&administrator).await);
    let before = server.stored_rows().await;
    for (caller, user) in [(&editor, &others), (&administrator, &own), (&administrator, &json!("nobody"))] {
        let refused = caller.post(TOKENS, &json!({ "name": "Laptop", "userId": user })).await;
        let problem = refused.problem(403, "forbidden");
        assert!(problem["detail"].as_str().unwrap().contains("setup-link"), "{problem}");
    }
    server.assert_unchanged_since(&before).await;
    let (created, _) = new_token(&server, &editor, &json!({ "name": "Laptop", "userId": own })).await;
    assert_eq!((&created["userId"], &created["createdBy"]), (&own, &own));
}

#[apply(on_default_database)]
async fn a_token_of_another_organisation_is_not_found(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    let (created, bearer) = new_token(&server, &server.editor(), &json!({ "name": "Laptop" })).await;
    let user = id_of(&server.editor()).await;
    assert_eq!(outsider.get(TOKENS).await.column("name"), ["Test"]);
    outsider.delete(&path_of(&created)).await.problem(404, "not-found");
    outsider.post(TOKENS, &json!({ "name": "Theirs", "userId": user })).await.problem(403, "forbidden");
    bearer.get("/api/v1/me").await.ok(200);
}

#[apply(on_each_database)]
async fn a_role_change_applies_to_the_persons_tokens_at_once(database: Database) {
    let server = Server::start(&database).await;
    let token = server.caller(Some(&server.token(Role::Editor, None).await));
    let user = format!("/api/v1/users/{}", id_of(&token).await.as_str().unwrap());
    let path = targeting_of("reviews", "staging");
    let production = targeting_of("reviews", "production");
    token.patch(&path, &json!({ "enabled": false })).await.ok(200);
    server.administrator().patch(&user, &json!({ "role": "readOnly" })).await.ok(200);
    token.patch(&path, &json!({ "enabled": true })).await.problem(403, "forbidden");
    token.get(&path).await.ok(200);
    server.administrator().patch(&user, &json!({ "role": "productionEditor" })).await.ok(200);
    token.patch(&production, &json!({ "enabled": true })).await.ok(200);
}
