//! Every route of the REST API with a token of every kind of scope: what the scope does not include gets 403, and changes nothing.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::Scoped::{self, ChangeInProject, ChangeProject, Organisation, ReadEnvironment, ReadProject, Shared};
use super::{ROUTES, assert_allowed, respond};
use crate::fixture::{Caller, Server, on_default_database, on_each_database};

/// An administrator's token with this scope.
async fn scoped(server: &Server, scope: Value) -> Caller {
    let created = server.administrator().post("/api/v1/tokens", &json!({ "name": "Scoped", "scope": scope })).await;
    server.caller(created.ok(201)["token"].as_str())
}

/// Requests each route in the environment of the project shop, and asserts which are refused, with a message that names the scope.
async fn assert_scope(
    server: &Server,
    caller: &Caller,
    environment: &str,
    words: &str,
    is_allowed: impl Fn(Scoped, Role) -> bool,
) {
    let before = server.stored_rows().await;
    for (method, path, minimum, needed) in ROUTES {
        let path = path.replace("{projectKey}", "shop").replace("{environmentKey}", environment);
        let response = respond(caller, method, &path).await;
        let named = format!("{method} {path} with the scope {words}: {}", response.text);
        assert_allowed(is_allowed(needed, minimum), response.status, &named);
        if response.status == 403 {
            let problem = response.problem(403, "forbidden");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.starts_with(&format!("The token's scope is: {words}. ")), "{named}");
            assert!(detail.ends_with("Use a token whose scope includes it, or one without a scope."), "{named}");
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_read_only_token_of_an_administrator_has_the_permissions_of_the_read_only_role_and_changes_nothing(
    database: Database,
) {
    let server = Server::start(&database).await;
    let caller = scoped(&server, json!({ "access": "readOnly" })).await;
    assert_scope(&server, &caller, "staging", "read only, in all projects", |needed, minimum| {
        minimum == Role::ReadOnly && matches!(needed, Shared | ReadProject | ReadEnvironment)
    })
    .await;
}

#[apply(on_each_database)]
async fn a_token_of_another_project_is_refused_on_each_route_of_a_project(database: Database) {
    let server = Server::start(&database).await;
    server.administrator().post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    for access in ["readOnly", "readWrite"] {
        let caller = scoped(&server, json!({ "access": access, "projects": ["other"] })).await;
        let words = if access == "readOnly" { "read only" } else { "read and write" };
        let words = format!("{words}, in the project other");
        assert_scope(&server, &caller, "staging", &words, |needed, _| needed == Shared).await;
    }
}

#[apply(on_default_database)]
async fn a_token_of_an_environment_is_refused_in_others_and_for_what_they_have_in_common(database: Database) {
    let server = Server::start(&database).await;
    let environments = json!([{ "projectKey": "shop", "environmentKey": "staging" }]);
    let caller = scoped(&server, json!({ "access": "readWrite", "environments": environments })).await;
    let words = "read and write, in the environment staging of shop";
    assert_scope(&server, &caller, "production", words, |needed, _| {
        matches!(needed, Shared | ReadProject | ChangeInProject)
    })
    .await;
    assert_scope(&server, &caller, "staging", words, |needed, _| !matches!(needed, ChangeProject | Organisation)).await;
}

#[apply(on_default_database)]
async fn a_token_of_a_project_is_allowed_everything_in_it_and_refused_for_the_organisation(database: Database) {
    let server = Server::start(&database).await;
    let caller = scoped(&server, json!({ "access": "readWrite", "projects": ["shop"] })).await;
    // With an environment that does not exist: nothing is deleted.
    assert_scope(&server, &caller, "none", "read and write, in the project shop", |needed, _| needed != Organisation)
        .await;
    for other in ["/projects/other", "/projects/other/features"] {
        respond(&caller, "GET", other).await.problem(403, "forbidden");
    }
}

#[apply(on_default_database)]
async fn a_session_has_the_scope_of_its_token_on_each_route(database: Database) {
    let server = Server::start(&database).await;
    let environments = json!([{ "projectKey": "shop", "environmentKey": "staging" }]);
    let session = scoped(&server, json!({ "access": "readOnly", "environments": environments })).await.sign_in().await;
    let words = "read only, in the environment staging of shop";
    assert_scope(&server, &session, "staging", words, |needed, minimum| {
        minimum == Role::ReadOnly && matches!(needed, Shared | ReadProject | ReadEnvironment)
    })
    .await;
    assert_scope(&server, &session, "production", words, |needed, minimum| {
        minimum == Role::ReadOnly && matches!(needed, Shared | ReadProject)
    })
    .await;
}
