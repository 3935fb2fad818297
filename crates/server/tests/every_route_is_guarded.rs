//! Every route of the REST API with every role: callers without permission get 401 or 403. Routes missing in the table fail.
//! `scopes.rs` does the same with every kind of scope.

pub mod routes;
mod scopes;

use std::collections::BTreeSet;

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use crate::fixture::{ApiResponse, Caller, IdentityProvider, Server, Visitor, on_default_database, session_of};

const ROLES: [Role; 4] = [Role::ReadOnly, Role::Editor, Role::ProductionEditor, Role::Administrator];

/// What a token needs that has a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scoped {
    /// Nothing more: the response has only what the scope includes, or what the organisation has in common.
    Shared,
    /// Any environment of the project.
    ReadProject,
    /// The environment.
    ReadEnvironment,
    /// Any environment of the project, and to write; the body or the approval names the environment that must be in the scope.
    ChangeInProject,
    /// The whole project, and to write.
    ChangeProject,
    /// The environment, and to write.
    ChangeEnvironment,
    /// To have no scope.
    Organisation,
}

use Scoped::{ChangeEnvironment, ChangeInProject, ChangeProject, Organisation, ReadEnvironment, ReadProject, Shared};

/// Every method and path of the REST API, with its minimum role, and what a token with a scope needs.
const ROUTES: [(&str, &str, Role, Scoped); 86] = [
    ("GET", "/organisation", Role::ReadOnly, Shared),
    ("PATCH", "/organisation", Role::Administrator, Organisation),
    ("GET", "/me", Role::ReadOnly, Shared),
    ("GET", "/users", Role::ReadOnly, Shared),
    ("POST", "/users", Role::Administrator, Organisation),
    ("GET", "/users/{userId}", Role::ReadOnly, Shared),
    ("PATCH", "/users/{userId}", Role::Administrator, Organisation),
    ("DELETE", "/users/{userId}", Role::Administrator, Organisation),
    ("POST", "/users/{userId}/setup-link", Role::Administrator, Organisation),
    ("POST", "/erasures", Role::Administrator, Organisation),
    ("GET", "/tokens", Role::ReadOnly, Shared),
    ("POST", "/tokens", Role::ReadOnly, Organisation),
    ("DELETE", "/tokens/{tokenId}", Role::ReadOnly, Organisation),
    ("GET", "/audit-log", Role::ReadOnly, Shared),
    ("GET", "/admin/integrations/outbound", Role::Administrator, Organisation),
    ("POST", "/admin/integrations/outbound", Role::Administrator, Organisation),
    ("GET", "/admin/integrations/outbound/{id}", Role::Administrator, Organisation),
    ("PUT", "/admin/integrations/outbound/{id}", Role::Administrator, Organisation),
    ("DELETE", "/admin/integrations/outbound/{id}", Role::Administrator, Organisation),
    ("POST", "/admin/integrations/outbound/{id}/secret", Role::Administrator, Organisation),
    ("POST", "/admin/integrations/outbound/{id}/test", Role::Administrator, Organisation),
    ("GET", "/admin/integrations/outbound/{id}/deliveries", Role::Administrator, Organisation),
    ("GET", "/admin/integrations/regions", Role::Administrator, Organisation),
    ("GET", "/projects", Role::ReadOnly, Shared),
    ("POST", "/projects", Role::Administrator, Organisation),
    ("GET", "/projects/{projectKey}", Role::ReadOnly, ReadProject),
    ("PATCH", "/projects/{projectKey}", Role::Administrator, ChangeProject),
    ("DELETE", "/projects/{projectKey}", Role::Administrator, ChangeProject),
    ("GET", "/projects/{projectKey}/environments", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/environments", Role::Administrator, ChangeProject),
    ("GET", "/projects/{projectKey}/environments/compare", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/environments/copy", Role::Editor, ChangeInProject),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}", Role::ReadOnly, ReadEnvironment),
    ("PATCH", "/projects/{projectKey}/environments/{environmentKey}", Role::Administrator, ChangeEnvironment),
    ("DELETE", "/projects/{projectKey}/environments/{environmentKey}", Role::Administrator, ChangeProject),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/client-keys", Role::ReadOnly, ReadEnvironment),
    (
        "POST",
        "/projects/{projectKey}/environments/{environmentKey}/client-keys",
        Role::Administrator,
        ChangeEnvironment,
    ),
    (
        "DELETE",
        "/projects/{projectKey}/environments/{environmentKey}/client-keys/{keyId}",
        Role::Administrator,
        ChangeEnvironment,
    ),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/server-keys", Role::ReadOnly, ReadEnvironment),
    (
        "POST",
        "/projects/{projectKey}/environments/{environmentKey}/server-keys",
        Role::Administrator,
        ChangeEnvironment,
    ),
    (
        "DELETE",
        "/projects/{projectKey}/environments/{environmentKey}/server-keys/{keyId}",
        Role::Administrator,
        ChangeEnvironment,
    ),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/goals", Role::ReadOnly, ReadEnvironment),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/insights", Role::ReadOnly, ReadEnvironment),
    (
        "GET",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/insights",
        Role::ReadOnly,
        ReadEnvironment,
    ),
    ("GET", "/projects/{projectKey}/environments/{environmentKey}/experiments", Role::ReadOnly, ReadEnvironment),
    ("POST", "/projects/{projectKey}/environments/{environmentKey}/experiments", Role::Editor, ChangeEnvironment),
    (
        "GET",
        "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}",
        Role::ReadOnly,
        ReadEnvironment,
    ),
    (
        "PATCH",
        "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}",
        Role::Editor,
        ChangeEnvironment,
    ),
    (
        "DELETE",
        "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}",
        Role::Editor,
        ChangeEnvironment,
    ),
    (
        "POST",
        "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/start",
        Role::Editor,
        ChangeEnvironment,
    ),
    (
        "POST",
        "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/stop",
        Role::Editor,
        ChangeEnvironment,
    ),
    (
        "GET",
        "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/results",
        Role::ReadOnly,
        ReadEnvironment,
    ),
    ("GET", "/projects/{projectKey}/edge-keys", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/edge-keys", Role::Administrator, ChangeProject),
    ("POST", "/projects/{projectKey}/edge-keys/{keyId}/rotate", Role::Administrator, ChangeProject),
    ("DELETE", "/projects/{projectKey}/edge-keys/{keyId}", Role::Administrator, ChangeProject),
    ("GET", "/projects/{projectKey}/audiences", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/audiences", Role::Editor, ChangeProject),
    ("GET", "/projects/{projectKey}/audiences/{audienceKey}", Role::ReadOnly, ReadProject),
    ("PATCH", "/projects/{projectKey}/audiences/{audienceKey}", Role::Editor, ChangeProject),
    ("DELETE", "/projects/{projectKey}/audiences/{audienceKey}", Role::Editor, ChangeProject),
    ("GET", "/projects/{projectKey}/pipelines", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/pipelines", Role::Administrator, ChangeProject),
    ("GET", "/projects/{projectKey}/pipelines/{pipelineKey}", Role::ReadOnly, ReadProject),
    ("PATCH", "/projects/{projectKey}/pipelines/{pipelineKey}", Role::Administrator, ChangeProject),
    ("DELETE", "/projects/{projectKey}/pipelines/{pipelineKey}", Role::Administrator, ChangeProject),
    ("GET", "/projects/{projectKey}/features", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/features", Role::Editor, ChangeProject),
    ("GET", "/projects/{projectKey}/features/{featureKey}", Role::ReadOnly, ReadProject),
    ("PATCH", "/projects/{projectKey}/features/{featureKey}", Role::Editor, ChangeProject),
    ("DELETE", "/projects/{projectKey}/features/{featureKey}", Role::Editor, ChangeProject),
    ("POST", "/projects/{projectKey}/features/{featureKey}/next-phase", Role::Editor, ChangeProject),
    ("GET", "/projects/{projectKey}/preferences", Role::ReadOnly, ReadProject),
    ("PUT", "/projects/{projectKey}/preferences", Role::ReadOnly, ChangeInProject),
    (
        "GET",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
        Role::ReadOnly,
        ReadEnvironment,
    ),
    (
        "PUT",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
        Role::Editor,
        ChangeEnvironment,
    ),
    (
        "PATCH",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
        Role::Editor,
        ChangeEnvironment,
    ),
    (
        "POST",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/break-glass",
        Role::ProductionEditor,
        ChangeEnvironment,
    ),
    (
        "POST",
        "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview",
        Role::ReadOnly,
        ReadEnvironment,
    ),
    ("GET", "/approvals", Role::ReadOnly, Shared),
    ("GET", "/projects/{projectKey}/approvals", Role::ReadOnly, ReadProject),
    ("GET", "/projects/{projectKey}/approvals/{approvalId}", Role::ReadOnly, ReadProject),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/approve", Role::Editor, ChangeInProject),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/reject", Role::Editor, ChangeInProject),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/cancel", Role::Editor, ChangeInProject),
    ("POST", "/projects/{projectKey}/approvals/{approvalId}/comments", Role::Editor, ChangeInProject),
];

/// All other paths. Clients use a client key, services a server key, providers either, edges an edge key; the rest is public.
const OTHER_PATHS: [&str; 31] = [
    "/api/v1",
    "/client/v1/no-wasm-core/{file}",
    "/client/v1/{clientKey}/changes",
    "/client/v1/{clientKey}/goals",
    "/client/v1/{clientKey}/load",
    "/client/v1/{clientKey}/stream",
    "/docs",
    "/docs/",
    "/docs/api",
    "/docs/api/",
    "/docs/api/{*file}",
    "/docs/assets/{name}",
    "/docs/{*page}",
    "/edge/v1/follow",
    "/edge/v1/reports",
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

/// Routes that accept only an edge key.
const EDGE_KEY_ROUTES: [(&str, &str); 2] = [("POST", "/edge/v1/follow"), ("POST", "/edge/v1/reports")];

#[test]
fn every_route_is_in_the_table() {
    let rows: BTreeSet<_> = ROUTES.iter().map(|(method, path, ..)| format!("{method} /api/v1{path}")).collect();
    assert_eq!(routes::rest(), rows);
    assert_eq!(routes::others(), OTHER_PATHS.map(str::to_owned).into());
}

#[test]
fn the_openapi_document_states_the_minimum_role_of_each_route() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for (method, path, minimum, _) in ROUTES {
        let operation = &document["paths"][format!("/api/v1{path}")][method.to_lowercase()];
        assert_eq!(operation["security"], json!([{ "personalAccessToken": [minimum.as_str()] }]), "{method} {path}");
    }
}

/// Requests a missing project with an invalid body: only callers with permission get an error about these.
async fn status(caller: &Caller, method: &str, path: &str) -> u16 {
    respond(caller, method, path).await.status
}

async fn respond(caller: &Caller, method: &str, path: &str) -> ApiResponse {
    let path = path.replace(['{', '}'], "");
    let request = caller.request(Method::from_bytes(method.as_bytes()).unwrap(), &format!("/api/v1{path}"));
    let response = caller.send(if method == "GET" { request } else { request.json(&json!({ "odd": true })) }).await;
    assert!(response.status < 500, "{method} {path}: {}", response.text);
    response
}

#[apply(on_default_database)]
async fn requests_without_a_valid_token_are_rejected(database: Database) {
    let server = Server::start(&database).await;
    let client_key = &database.credentials().client_keys["staging"];
    let revoked_form = format!("api-{client_key}");
    for (method, path, ..) in ROUTES {
        for token in [None, Some("api-unknown"), Some("srv-unknown"), Some(client_key), Some(&revoked_form)] {
            assert_eq!(status(&server.caller(token), method, path).await, 401, "{method} {path} with {token:?}");
        }
    }
}

#[apply(on_default_database)]
async fn rules_and_bundles_cannot_be_read_without_a_valid_key(database: Database) {
    let server = Server::start(&database).await;
    let credentials = database.credentials();
    let client_key = &credentials.client_keys["staging"];
    let personal = &credentials.tokens[&Role::Administrator].token;
    let unknown = format!("srv-{client_key}");
    for (method, path) in SERVER_KEY_ROUTES.into_iter().chain(EDGE_KEY_ROUTES) {
        for token in [None, Some(""), Some(client_key.as_str()), Some(personal.as_str()), Some(unknown.as_str())] {
            let caller = server.caller(token);
            let request = caller.request(Method::from_bytes(method.as_bytes()).unwrap(), path);
            let response = caller.send(request.json(&json!({ "goals": [] }))).await;
            response.problem(401, "unauthenticated");
        }
    }
}

#[apply(on_default_database)]
async fn each_route_allows_its_minimum_role_and_higher_roles(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    for (method, path, minimum, _) in ROUTES {
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

#[apply(on_default_database)]
async fn a_session_has_the_permissions_of_its_token_on_each_route(database: Database) {
    let server = Server::start(&database).await;
    let mut signed_in = Vec::new();
    for role in ROLES {
        signed_in.push((role, server.person(role).sign_in().await));
    }
    let before = server.stored_rows().await;
    for (method, path, minimum, _) in ROUTES {
        for (role, session) in &signed_in {
            let status = status(session, method, path).await;
            assert_allowed(*role >= minimum, status, &format!("{method} {path} signed in as {role}"));
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
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
    for (method, path, minimum, _) in ROUTES {
        for (role, session) in &signed_in {
            let status = status(session, method, path).await;
            assert_allowed(*role >= minimum, status, &format!("{method} {path} by single sign-on as {role}"));
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_session_is_valid_only_for_same_origin_requests_below_ui_api(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, anonymous) = (server.administrator(), server.anonymous());
    let session = administrator.sign_in().await;
    let (without_csrf_token, with_forged_token) = (session.with_csrf_token(""), session.with_csrf_token("forged"));
    let ended = administrator.sign_in().await;
    ended.delete("/ui/session").await.ok(204);
    let before = server.stored_rows().await;
    for (method, path, ..) in ROUTES {
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

#[apply(on_default_database)]
async fn no_path_accepts_a_method_that_is_not_in_the_table(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let paths: BTreeSet<_> = ROUTES.iter().map(|(_, path, ..)| path).collect();
    for path in paths {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let in_table = ROUTES.iter().any(|row| (row.0, row.1) == (method, path));
            assert_eq!(status(&administrator, method, path).await != 405, in_table, "{method} {path}");
        }
    }
}
