//! Tokens, roles and organisations. `every_route_is_guarded` tests all routes.

use flagservice_rules::Instant;
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use crate::fixture::{NOW, Server, everyone, features, on_default_database, project, targeting, targeting_of};

const PROJECTS: &str = "/api/v1/projects";

#[apply(on_default_database)]
async fn without_a_valid_token_the_error_says_what_to_send(database: Database) {
    let server = Server::start(&database).await;
    let anonymous = server.anonymous();
    let with = |header: &str| anonymous.request(Method::GET, PROJECTS).header("authorization", header);
    let token = server.token(Role::Administrator, None).await;
    for request in [
        anonymous.request(Method::GET, PROJECTS),
        with(""),
        with("Bearer"),
        with("Bearer "),
        with("Bearer api-unknown"),
        with(&format!("Basic {token}")),
        with(&token),
        with(&format!("Bearer {token}x")),
    ] {
        let response = anonymous.send(request).await;
        response.problem(401, "unauthenticated");
        assert_eq!(response.header("www-authenticate"), Some("Bearer"));
    }
    // The scheme is case-insensitive.
    anonymous.send(with(&format!("bearer {token}"))).await.ok(200);
}

#[apply(on_default_database)]
async fn a_token_is_valid_until_it_expires(database: Database) {
    let server = Server::start(&database).await;
    let token = server.token(Role::ReadOnly, Some(Instant(NOW.0 + 1000))).await;
    let caller = server.caller(Some(&token));
    server.clock.set(Instant(NOW.0 + 999));
    caller.get(PROJECTS).await.ok(200);
    server.clock.set(Instant(NOW.0 + 1000));
    caller.get(PROJECTS).await.problem(401, "unauthenticated");
}

#[apply(on_default_database)]
async fn a_read_only_person_can_read_but_not_write(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "staging");
    server.read_only().get(&path).await.ok(200);
    let before = server.stored_rows().await;
    server.read_only().patch(&path, &json!({ "enabled": false })).await.problem(403, "forbidden");
    server.read_only().put(&path, &targeting(&[])).await.problem(403, "forbidden");
    server.read_only().patch(&features("/reviews"), &json!({ "name": "Mine" })).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_editor_can_write_outside_production_and_a_production_editor_everywhere(database: Database) {
    let server = Server::start(&database).await;
    let everybody = targeting(&[everyone("on")]);
    let before = server.stored_rows().await;
    let production = targeting_of("new-checkout", "production");
    let refused = server.editor().put(&production, &everybody).await.problem(403, "forbidden");
    assert!(refused["detail"].as_str().unwrap().contains("production editor"), "{refused}");
    server.editor().patch(&production, &json!({ "enabled": true })).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;

    for environment in ["development", "staging"] {
        let path = targeting_of("reviews", environment);
        server.editor().patch(&path, &json!({ "enabled": false, "offVariantKey": "off" })).await.ok(200);
    }
    server.production_editor().put(&production, &everybody).await.ok(200);
    assert_eq!(server.browser("production").load_id("alice").await.features["new-checkout"], "on");
}

#[apply(on_default_database)]
async fn another_organisations_project_is_not_found(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    let before = server.stored_rows().await;
    for path in [
        project("/environments"),
        project("/audiences"),
        project("/environments/staging/client-keys"),
        features(""),
        features("/reviews"),
        targeting_of("reviews", "staging"),
    ] {
        let theirs = outsider.get(&path).await.problem(404, "not-found");
        // The same message as for a project that does not exist.
        let nobodys = outsider.get(&path.replacen("/shop", "/none", 1)).await.problem(404, "not-found");
        assert_eq!(theirs["detail"].as_str().unwrap().replace("'shop'", "'none'"), nobodys["detail"], "{path}");
    }
    outsider.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.problem(404, "not-found");
    outsider.post(&features(""), &json!({ "key": "new-one", "name": "New" })).await.problem(404, "not-found");
    let new = json!({ "key": "new-one", "name": "New" });
    outsider.post(&project("/environments"), &new).await.problem(404, "not-found");
    server.assert_unchanged_since(&before).await;
}
