//! `/api/v1/approvals`: each person sees what they can decide on, in all projects.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approvals, decide, edit, request_change, require_for_feature};
use crate::fixture::{Caller, Server, features, on_default_database, on_each_database};

const LIST: &str = "/api/v1/approvals";

async fn ids(caller: &Caller) -> Vec<Value> {
    caller.get(LIST).await.column("id")
}

/// Requests a change as this person, later than all before.
async fn request(server: &Server, caller: &Caller, feature: &str, environment: &str) -> String {
    server.clock.set(Instant(server.app.now().0 + 1000));
    request_change(caller, feature, environment, &edit()).await
}

#[apply(on_each_database)]
async fn everyone_sees_what_they_can_decide_on_newest_first(database: Database) {
    let server = Server::start(&database).await;
    let (editor, production) = (server.editor(), server.production_editor());
    let administrator = server.administrator();
    for feature in ["reviews", "gift-cards"] {
        require_for_feature(&server, feature).await;
    }
    let known = ids(&administrator).await;
    let of_editor = request(&server, &editor, "reviews", "staging").await;
    let of_production = request(&server, &production, "gift-cards", "staging").await;
    let in_production = request(&server, &administrator, "reviews", "production").await;

    assert_eq!(ids(&server.read_only()).await, [""; 0]);
    assert_eq!(ids(&editor).await, [&*of_production]);
    let of_others = ids(&production).await;
    assert_eq!(of_others[..2], [&*in_production, &of_editor]);
    assert!(!of_others.contains(&json!(of_production)));
    let mut expected = vec![json!(of_production), json!(of_editor)];
    expected.extend(known);
    assert_eq!(ids(&administrator).await, expected);

    decide(&administrator, &of_editor, "reject").await.ok(200);
    assert!(!ids(&production).await.contains(&json!(of_editor)), "it is decided");
    for id in [of_production, in_production] {
        let caller = if ids(&editor).await.contains(&json!(id)) { &editor } else { &production };
        decide(caller, &id, "approve").await.ok(200);
    }
}

#[apply(on_default_database)]
async fn it_names_the_project_the_feature_and_the_environment(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request(&server, &server.editor(), "reviews", "staging").await;
    let found = server.administrator().get(&format!("{LIST}?limit=1")).await.items()[0].clone();
    let names = ["projectKey", "featureName", "environmentName"].map(|field| &found[field]);
    assert_eq!(names, ["shop", "Reviews", "Staging"]);
    assert_eq!((&found["id"], &found["production"]), (&json!(id), &json!(false)));
    let mut summary = server.administrator().get(&approvals("?state=pending&limit=1")).await.items()[0].clone();
    for field in ["projectKey", "projectName", "featureName", "environmentName", "sourceEnvironmentName", "production"]
    {
        summary[field] = found[field].clone();
    }
    assert_eq!(found, summary, "the other fields are those of the project's list");
}

#[apply(on_default_database)]
async fn a_change_of_the_feature_itself_is_for_those_who_may_change_production(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    server.clock.set(Instant(server.app.now().0 + 1000));
    let archive = json!({ "lifecycle": "Archived" });
    let pending = server.administrator().patch(&features("/reviews"), &archive).await.ok(202);
    assert!(!ids(&server.editor()).await.contains(&pending["id"]));
    let found = server.production_editor().get(&format!("{LIST}?limit=1")).await.items()[0].clone();
    assert_eq!((&found["id"], &found["production"]), (&pending["id"], &json!(true)));
}

#[apply(on_default_database)]
async fn it_contains_all_projects_of_the_organisation_and_none_of_another(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    let environments = "/api/v1/projects/other/environments";
    administrator.post(environments, &json!({ "key": "live", "name": "Live", "production": true })).await.ok(201);
    let new = json!({ "key": "one", "name": "One", "approvalRequired": true });
    administrator.post("/api/v1/projects/other/features", &new).await.ok(201);
    server.clock.set(Instant(server.app.now().0 + 1000));
    let targeting = "/api/v1/projects/other/features/one/environments/live";
    server.production_editor().patch(targeting, &json!({ "enabled": true })).await.ok(202);
    require_for_feature(&server, "reviews").await;
    request(&server, &server.editor(), "reviews", "staging").await;
    let projects = administrator.get(LIST).await.column("projectKey");
    assert_eq!(projects[..2], ["shop", "other"]);
    assert_eq!(ids(&server.outsider().await).await, [""; 0]);
}
