//! Every route of the REST API with every role: callers without permission get 401 or 403. Routes missing in the table fail.

pub mod routes;

use std::collections::BTreeSet;

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use crate::fixture::{Caller, IdentityProvider, Server, Visitor, on_each_database, session_of};

const ROLES: [Role; 4] = [Role::ReadOnly, Role::Editor, Role::ProductionEditor, Role::Administrator];

/// Every method and path of the REST API, with its minimum role.
const ROUTES: [(&str, &str, Role); 72] = [
    ("GET", "/organisation", Role::ReadOnly),
    ("PATCH", "/organisation", Role::Administrator),
    ("GET", "/me", Role::ReadOnly),
    ("GET", "/users", Role::ReadOnly),
    ("POST", "/users", Role::Administrator),
    ("GET", "/users/{userId}", Role::ReadOnly),
    ("PATCH", "/users/{userId}", Role::Administrator),
    ("DELETE", "/users/{userId}", Role::Administrator),
    ("POST", "/users/{userId}/setup-link", Role::Administrator),
    ("POST", "/erasures", Role::Administrator),
    ("GET", "/tokens", Role::ReadOnly),
    ("POST", "/tokens", Role::ReadOnly),
    ("DELETE", "/tokens/{tokenId}", Role::ReadOnly),
    ("GET", "/audit-log", Role::ReadOnly),
    ("GET", "/admin/integrations/outbound", Role::Administrator),
    ("POST", "/admin/integrations/outbound", Role::Administrator),
    ("GET", "/admin/integrations/outbound/{id}", Role::Administrator),
    ("PUT", "/admin/integrations/outbound/{id}", Role::Administrator),
    ("DELETE", "/admin/integrations/outbound/{id}", Role::Administrator),
    ("POST", "/admin/integrations/outbound/{id}/secret", Role::Administrator),
    ("POST", "/admin/integrations/outbound/{id}/test", Role::Administrator),
    ("GET", "/admin/integrations/outbound/{id}/deliveries", Role::Administrator),
    ("GET", "/admin/integrations/regions", Role::Administrator),
    ("GET", "/projects", Role::ReadOnly),
    ("POST", "/projects", Role::Administrator),
    ("GET", "/projects/{projectKey}", Role::ReadOnly),
    ("PATCH", "/projects/{projectKey}", Role::Administrator),
    ("DELETE", "/projects/{projectKey}", Role::Administrator),
    ("GET", "/projects/{projectKey}/environments", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/environments", Role::Administrator),
    ("GET", "/projects/{projectKey}/environments/compare", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/environments/copy", Role::Editor),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}", Role::ReadOnly),
    ("PATCH", "/projects/{projectKey}/environments/{environmentKey}", Role::Administrator),
    ("DELETE", "/projects/{projectKey}/environments/{environmentKey}", Role::Administrator),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/client-keys", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/environments/{environmentKey}/client-keys", Role::Administrator),
    ("DELETE", "/projects/{projectKey}/environments/{environmentKey}/client-keys/{keyId}", Role::Administrator),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/server-keys", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/environments/{environmentKey}/server-keys", Role::Administrator),
    ("DELETE", "/projects/{projectKey}/environments/{environmentKey}/server-keys/{keyId}", Role::Administrator),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/goals", Role::ReadOnly),
    ("GET", "/projects/{projectKey}/audiences", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/audiences", Role::Editor),
    ("GET", "/projects/{projectKey}/audiences/{audienceKey}", Role::ReadOnly),
    ("PATCH", "/projects/{projectKey}/audiences/{audienceKey}", Role::Editor),
    ("DELETE", "/projects/{projectKey}/audiences/{audienceKey}", Role::Editor),
    ("GET", "/projects/{projectKey}/pipelines", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/pipelines", Role::Administrator),
    ("GET", "/projects/{projectKey}/pipelines/{pipelineKey}", Role::ReadOnly),
    ("PATCH", "/projects/{projectKey}/pipelines/{pipelineKey}", Role::Administrator),
    ("DELETE", "/projects/{projectKey}/pipelines/{pipelineKey}", Role::Administrator),
    ("GET", "/projects/{projectKey}/features", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/features", Role::Editor),
    ("GET", "/projects/{projectKey}/features/{featureKey}", Role::ReadOnly),
    ("PATCH", "/projects/{projectKey}/features/{featureKey}", Role::Editor),
    ("DELETE", "/projects/{projectKey}/features/{featureKey}", Role::Editor),
    ("POST", "/projects/{projectKey}/features/{featureKey}/next-phase", Role::Editor),
    ("GET", "/projects/{projectKey}/preferences", Role::ReadOnly),
    ("PUT", "/projects/{projectKey}/preferences", Role::ReadOnly),
    ("GET", "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", Role::ReadOnly),
    ("PUT", "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", Role::Editor),
    ("PATCH", "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", Role::Editor),
    (
        "POST",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/break-glass",
        Role::ProductionEditor,
    ),
    ("POST", "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview", Role::ReadOnly),
    ("GET", "/approvals", Role::ReadOnly),
    ("GET", "/projects/{projectKey}/approvals", Role::ReadOnly),
    ("GET", "/projects/{projectKey}/approvals/{approvalId}", Role::ReadOnly),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/approve", Role::Editor),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/reject", Role::Editor),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/cancel", Role::Editor),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/comments", Role::Editor),
];

/// All other paths. Clients use a client key, services a server key, providers either; the rest is public.
const OTHER_PATHS: [&str; 27] = [
    "/api/v1",
    "/client/v1/no-wasm-core/{file}",
    "/client/v1/{clientKey}/changes",
    "/client/v1/{clientKey}/goals",
    "/client/v1/{clientKey}/load",
    "/client/v1/{clientKey}/stream",
    "/docs",
    "/docs/",
    "/docs/api",
    "/docs/assets/{name}",
    "/docs/{*page}",
    "/health/live",
    "/health/ready",
    "/metrics",
    "/ofrep/v1/evaluate/flags",
    "/ofrep/v1/evaluate/flags/{key}",
    "/openapi.json",
    "/pages",
    "/server/v1/goals",
    "/server/v1/rules",
    "/server/v1/stream",
    "/ui/api/v1",
    "/ui/assets/{name}",
    "/ui/session",
    "/ui/set-up",
    "/ui/single-sign-on",
    "/ui/single-sign-on/callback",
];

/// Routes that accept only a server key.
const SERVER_KEY_ROUTES: [(&str, &str); 3] =
    [("GET", "/server/v1/rules"), ("GET", "/server/v1/stream"), ("POST", "/server/v1/goals")];

#[test]
fn every_route_is_in_the_table() {
    let rows: BTreeSet<_> = ROUTES.iter().map(|(method, path, _)| format!("{method} /api/v1{path}")).collect();
    assert_eq!(routes::rest(), rows);
    assert_eq!(routes::others(), OTHER_PATHS.map(str::to_owned).into());
}

#[test]
fn the_openapi_document_states_the_minimum_role_of_each_route() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (method, path, minimum) in ROUTES {
        let operation = &document["paths"][format!("/api/v1{path}")][method.to_lowercase()];
        assert_eq!(operation["security"], json!([{ "personalAccessToken": [minimum.as_str()] }]), "{method} {path}");
    }
}

/// Requests a missing project with an invalid body: only callers with permission get an error about these.
async fn status(caller: &Caller, method: &str, path: &str) -> u16 {
    let path = path.replace(['{', '}'], "");
    let request = caller.request(Method::from_bytes(method.as_bytes()).unwrap(), &format!("/api/v1{path}"));
    let response = caller.send(if method == "GET" { request } else { request.json(&json!({ "odd": true })) }).await;
    assert!(response.status < 500, "{method} {path}: {}", response.text);
    response.status
}

#[apply(on_each_database)]
async fn requests_without_a_valid_token_are_rejected(database: Database) {
    let server = Server::start(&database).await;
    let client_key = &database.credentials().client_keys["staging"];
    let revoked_form = format!("api-{client_key}");
    for (method, path, _) in ROUTES {
        for token in [None, Some("api-unknown"), Some("srv-unknown"), Some(client_key), Some(&revoked_form)] {
            assert_eq!(status(&server.caller(token), method, path).await, 401, "{method} {path} with {token:?}");
        }
    }
}

#[apply(on_each_database)]
async fn rules_cannot_be_read_without_a_valid_server_key(database: Database) {
    let server = Server::start(&database).await;
    let credentials = database.credentials();
    let client_key = &credentials.client_keys["staging"];
    let personal = &credentials.tokens[&Role::Administrator].token;
    let unknown = format!("srv-{client_key}");
    for (method, path) in SERVER_KEY_ROUTES {
        for token in [None, Some(""), Some(client_key.as_str()), Some(personal.as_str()), Some(unknown.as_str())] {
            let caller = server.caller(token);
            let request = caller.request(Method::from_bytes(method.as_bytes()).unwrap(), path);
            let response = caller.send(request.json(&json!({ "goals": [] }))).await;
            response.problem(401, "unauthenticated");
        }
    }
}

#[apply(on_each_database)]
async fn each_route_allows_its_minimum_role_and_higher_roles(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    for (method, path, minimum) in ROUTES {
        for role in ROLES {
            let status = status(&server.person(role), method, path).await;
            assert_allowed(role >= minimum, status, &format!("{method} {path} as {role}"));
        }
    }
    server.assert_unchanged_since(&before).await;
}

/// Asserts that a status is one with, or without, permission.
fn assert_allowed(may: bool, status: u16, who: &str) {
    assert!(if may { status != 401 && status != 403 } else { status == 403 }, "{who}: {status}");
}

#[apply(on_each_database)]
async fn a_session_has_the_permissions_of_its_token_on_each_route(database: Database) {
    let server = Server::start(&database).await;
    let mut signed_in = Vec::new();
    for role in ROLES {
        signed_in.push((role, server.person(role).sign_in().await));
    }
    let before = server.stored_rows().await;
    for (method, path, minimum) in ROUTES {
        for (role, session) in &signed_in {
            let status = status(session, method, path).await;
            assert_allowed(*role >= minimum, status, &format!("{method} {path} signed in as {role}"));
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_session_of_single_sign_on_has_the_permissions_of_the_claimed_role_on_each_route(database: Database) {
    let provider = IdentityProvider::start().await;
    let server = Server::start_with(&database, provider.settings()).await;
    let mut signed_in = Vec::new();
    for role in ROLES {
        provider.say(json!({ "sub": role.as_str(), "roles": [role.as_str()] }));
        let response = Visitor::of(&server).sign_in(&provider).await;
        signed_in.push((role, session_of(&server, &response).await));
    }
    let before = server.stored_rows().await;
    for (method, path, minimum) in ROUTES {
        for (role, session) in &signed_in {
            let status = status(session, method, path).await;
            assert_allowed(*role >= minimum, status, &format!("{method} {path} by single sign-on as {role}"));
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_session_is_valid_only_for_same_origin_requests_below_ui_api(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, anonymous) = (server.administrator(), server.anonymous());
    let session = administrator.sign_in().await;
    let (without_csrf_token, with_forged_token) = (session.with_csrf_token(""), session.with_csrf_token("forged"));
    let ended = administrator.sign_in().await;
    ended.delete("/ui/session").await.ok(204);
    let before = server.stored_rows().await;
    for (method, path, _) in ROUTES {
        let named = format!("{method} {path}");
        let reads = method == "GET";
        let below = |base: &str| format!("{base}{}", path.replace(['{', '}'], ""));
        let method = || Method::from_bytes(method.as_bytes()).unwrap();
        for (who, caller) in [("without a CSRF token", &without_csrf_token), ("with another's", &with_forged_token)] {
            assert_allowed(reads, status(caller, method().as_str(), path).await, &format!("{named} {who}"));
        }
        assert_eq!(status(&ended, method().as_str(), path).await, 401, "{named} with a session that has ended");
        for (name, value) in [
            ("origin", "https://elsewhere.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let foreign = session.request(method(), &below("/api/v1")).header(name, value);
            session.send(foreign.json(&json!({ "odd": true }))).await.problem(403, "other-origin");
        }
        // Tokens are not valid below /ui/api, and sessions are not valid below /api.
        let with_token = administrator.request(method(), &below("/ui/api/v1"));
        assert_eq!(administrator.send(with_token).await.status, 401, "{named} with a token below /ui/api");
        let with_cookie = anonymous.request(method(), &below("/api/v1")).header("cookie", session.cookie());
        assert_eq!(anonymous.send(with_cookie).await.status, 401, "{named} with a session below /api/v1");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn no_path_accepts_a_method_that_is_not_in_the_table(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let paths: BTreeSet<_> = ROUTES.iter().map(|(_, path, _)| path).collect();
    for path in paths {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let in_table = ROUTES.iter().any(|row| (row.0, row.1) == (method, path));
            assert_eq!(status(&administrator, method, path).await != 405, in_table, "{method} {path}");
        }
    }
}
