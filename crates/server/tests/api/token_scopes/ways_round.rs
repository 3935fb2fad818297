//! Ways round a scope that lead through another resource: copies, comparisons, approvals, stored answers.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{expect_out_of_scope, of_environments, scoped};
use crate::fixture::{
    Caller, Server, environment, everyone, features, on_default_database, project, targeting, targeting_of,
};

const COPY: &str = "/api/v1/projects/shop/environments/copy";

fn copy(source: &str, target: &str, dry_run: bool) -> Value {
    let settings = json!({ "enabled": true, "offVariantKey": true, "rules": true });
    json!({ "source": source, "target": target, "featureKeys": ["reviews"], "settings": settings, "dryRun": dry_run })
}

#[apply(on_default_database)]
async fn a_copy_needs_reading_its_source_and_writing_its_target(database: Database) {
    let server = Server::start(&database).await;
    let (owner, both) = (server.administrator(), ["staging", "development"]);
    let (_, staging) = scoped(&server, &owner, of_environments("readWrite", &["staging"])).await;
    let (_, reader) = scoped(&server, &owner, of_environments("readOnly", &both)).await;
    let (_, writer) = scoped(&server, &owner, of_environments("readWrite", &both)).await;
    let before = server.stored_rows().await;
    for dry_run in [true, false] {
        let refused = staging.post(COPY, &copy("production", "staging", dry_run)).await;
        expect_out_of_scope(&refused.problem(403, "forbidden"), &["reading the environment production of shop"]);
        let refused = staging.post(COPY, &copy("staging", "production", dry_run)).await;
        expect_out_of_scope(&refused.problem(403, "forbidden"), &["changing the environment production of shop"]);
        let refused = reader.post(COPY, &copy("development", "staging", dry_run)).await;
        expect_out_of_scope(&refused.problem(403, "forbidden"), &["read only"]);
    }
    server.assert_unchanged_since(&before).await;
    writer.post(COPY, &copy("development", "staging", false)).await.ok(200);
}

#[apply(on_default_database)]
async fn a_comparison_needs_reading_both_environments(database: Database) {
    let server = Server::start(&database).await;
    let (_, token) =
        scoped(&server, &server.administrator(), of_environments("readOnly", &["staging", "development"])).await;
    let compare =
        |source: &str, target: &str| project(&format!("/environments/compare?source={source}&target={target}"));
    token.get(&compare("staging", "development")).await.ok(200);
    for (source, target) in [("staging", "production"), ("production", "staging")] {
        let refused = token.get(&compare(source, target)).await;
        expect_out_of_scope(&refused.problem(403, "forbidden"), &["reading the environment production of shop"]);
    }
}

/// Requests a change in the environment, which needs an approval there. Returns the path of the approval.
async fn request(server: &Server, of: &str) -> String {
    server.administrator().patch(&environment(of, ""), &json!({ "approvalRequired": true })).await.ok(200);
    let change = targeting(&[everyone("on")]);
    let pending = server.production_editor().put(&targeting_of("loyalty-points", of), &change).await.ok(202);
    project(&format!("/approvals/{}", pending["id"].as_str().unwrap()))
}

async fn expect_refused_decisions(token: &Caller, approval: &str) {
    for verb in ["approve", "reject", "cancel", "comments"] {
        let body = if verb == "comments" { json!({ "comment": "No" }) } else { json!({}) };
        let refused = token.post(&format!("{approval}/{verb}"), &body).await;
        expect_out_of_scope(&refused.problem(403, "forbidden"), &["does not include changing"]);
    }
}

#[apply(on_default_database)]
async fn an_approval_is_read_and_decided_on_only_in_its_environment(database: Database) {
    let server = Server::start(&database).await;
    let owner = server.administrator();
    let (in_staging, in_production) = (request(&server, "staging").await, request(&server, "production").await);
    let (_, reader) = scoped(&server, &owner, of_environments("readOnly", &["staging"])).await;
    let (_, writer) = scoped(&server, &owner, of_environments("readWrite", &["staging"])).await;
    let before = server.stored_rows().await;
    for token in [&reader, &writer] {
        expect_refused_decisions(token, &in_production).await;
        token.get(&in_production).await.problem(403, "forbidden");
        token.get(&in_staging).await.ok(200);
        let listed = token.get(&project("/approvals")).await.column("environmentKey");
        assert!(!listed.is_empty() && listed.iter().all(|key| key == "staging"), "{listed:?}");
    }
    expect_refused_decisions(&reader, &in_staging).await;
    server.assert_unchanged_since(&before).await;
    // The inbox has what the token can decide on.
    assert_eq!(reader.get("/api/v1/approvals").await.items(), [] as [Value; 0]);
    let inbox = writer.get("/api/v1/approvals").await.column("environmentKey");
    assert!(!inbox.is_empty() && inbox.iter().all(|key| key == "staging"), "{inbox:?}");
    writer.post(&format!("{in_staging}/approve"), &json!({})).await.ok(200);
}

#[apply(on_default_database)]
async fn an_approval_of_a_change_of_a_feature_needs_the_whole_project(database: Database) {
    let server = Server::start(&database).await;
    let owner = server.administrator();
    owner.patch(&environment("staging", ""), &json!({ "approvalRequired": true })).await.ok(200);
    let pending = server.production_editor().patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await;
    let approval = project(&format!("/approvals/{}", pending.ok(202)["id"].as_str().unwrap()));
    let all = ["development", "staging", "production"];
    let (_, of_environments) = scoped(&server, &owner, of_environments("readWrite", &all)).await;
    expect_refused_decisions(&of_environments, &approval).await;
    let listed = of_environments.get("/api/v1/approvals").await.items();
    assert!(listed.iter().all(|listed| listed["featureKey"] != "reviews"), "{listed:?}");
    let (_, of_project) = scoped(&server, &owner, json!({ "access": "readWrite", "projects": ["shop"] })).await;
    of_project.post(&format!("{approval}/approve"), &json!({})).await.ok(200);
}

#[apply(on_default_database)]
async fn a_stored_answer_is_not_given_to_a_token_of_another_scope(database: Database) {
    let server = Server::start(&database).await;
    let owner = server.administrator();
    owner.post_once(COPY, "once", &copy("development", "staging", false)).await.ok(200);
    let (_, token) = scoped(&server, &owner, of_environments("readWrite", &["staging"])).await;
    let refused = token.post_once(COPY, "once", &copy("development", "staging", false)).await;
    expect_out_of_scope(&refused.problem(403, "forbidden"), &["reading the environment development of shop"]);
    let approval = request(&server, "development").await;
    owner.post_once(&format!("{approval}/comments"), "again", &json!({ "comment": "Why?" })).await.ok(201);
    let refused = token.post_once(&format!("{approval}/comments"), "again", &json!({ "comment": "Why?" })).await;
    assert_eq!(refused.pointers(), ["/Idempotency-Key"]);
}

#[apply(on_default_database)]
async fn a_session_shows_the_scope_of_its_token_and_never_leaves_it(database: Database) {
    let server = Server::start(&database).await;
    let (_, token) =
        scoped(&server, &server.person(Role::Administrator), of_environments("readWrite", &["staging"])).await;
    let session = token.sign_in().await;
    let shown = session.get("/ui/session").await.ok(200);
    let environments = json!([{ "projectKey": "shop", "environmentKey": "staging" }]);
    assert_eq!(shown["scope"], json!({ "access": "readWrite", "projects": [], "environments": environments }));
    assert_eq!(server.administrator().sign_in().await.get("/ui/session").await.ok(200).get("scope"), None);
    session.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(200);
    session.patch(&targeting_of("reviews", "production"), &json!({ "enabled": false })).await.problem(403, "forbidden");
}
