//! `/api/v1/projects`.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, on_default_database, on_each_database, project};

const PROJECTS: &str = "/api/v1/projects";

#[apply(on_default_database)]
async fn an_administrator_can_create_a_project_and_everybody_sees_it(database: Database) {
    let server = Server::start(&database).await;
    let new = json!({ "key": "app", "name": "App" });
    assert_eq!(server.administrator().post(PROJECTS, &new).await.ok(201), new);
    let expected = json!({ "items": [new, { "key": "shop", "name": "Shop" }] });
    assert_eq!(server.read_only().get(PROJECTS).await.ok(200), expected);
    let environments = server.read_only().get("/api/v1/projects/app/environments").await.ok(200);
    assert_eq!(environments, json!({ "items": [] }));
}

#[apply(on_each_database)]
async fn a_duplicate_key_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let again = json!({ "key": "shop", "name": "Another shop" });
    let problem = server.administrator().post(PROJECTS, &again).await.problem(409, "exists");
    assert!(problem["detail"].as_str().unwrap().contains("'shop'"));
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn two_organisations_can_have_projects_with_the_same_key(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    assert_eq!(outsider.get(PROJECTS).await.ok(200), json!({ "items": [] }));
    let theirs = json!({ "key": "shop", "name": "Theirs" });
    outsider.post(PROJECTS, &theirs).await.ok(201);
    assert_eq!(outsider.get(PROJECTS).await.ok(200), json!({ "items": [theirs] }));
    let ours = json!({ "items": [{ "key": "shop", "name": "Shop" }] });
    assert_eq!(server.administrator().get(PROJECTS).await.ok(200), ours);
}

#[apply(on_each_database)]
async fn of_two_concurrent_creations_of_a_project_one_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let (first, second) = (server.administrator(), server.administrator());
    for round in 0..10 {
        let new = json!({ "key": format!("app-{round}"), "name": "App" });
        let (first, second) = tokio::join!(first.post(PROJECTS, &new), second.post(PROJECTS, &new));
        let (done, refused) = if first.status == 201 { (first, second) } else { (second, first) };
        done.ok(201);
        refused.problem(409, "exists");
    }
}

#[apply(on_each_database)]
async fn a_project_is_renamed_only_with_the_current_etag(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let path = project("");
    let seen = server.read_only().get(&path).await.etag();
    let renamed = administrator.patch_if(&path, &seen, &json!({ "name": "Store" })).await;
    assert_eq!(renamed.ok(200), json!({ "key": "shop", "name": "Store" }));
    let before = server.stored_rows().await;
    administrator.patch_if(&path, &seen, &json!({ "name": "Market" })).await.assert_stale(&seen, &renamed.etag());
    server.production_editor().patch(&path, &json!({ "name": "Market" })).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    // Without If-Match the last write wins.
    administrator.patch(&path, &json!({ "name": "Market" })).await.ok(200);
    assert_eq!(server.read_only().get(&path).await.ok(200)["name"], "Market");
}

#[apply(on_default_database)]
async fn a_project_with_contents_cannot_be_deleted_and_the_error_counts_them(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let before = server.stored_rows().await;
    let detail = administrator.delete(&project("")).await.problem(409, "in-use")["detail"].to_string();
    assert!(detail.contains("3 environments") && detail.contains("12 features"), "{detail}");
    server.assert_unchanged_since(&before).await;

    administrator.post(PROJECTS, &json!({ "key": "app", "name": "App" })).await.ok(201);
    let new = json!({ "key": "only", "name": "Only" });
    administrator.post("/api/v1/projects/app/features", &new).await.ok(201);
    let detail = administrator.delete("/api/v1/projects/app").await.problem(409, "in-use")["detail"].to_string();
    assert!(detail.contains("0 environments") && detail.contains("1 feature"), "{detail}");
}

#[apply(on_each_database)]
async fn a_project_without_environments_and_features_is_deleted_with_its_other_contents(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post(PROJECTS, &json!({ "key": "app", "name": "App" })).await.ok(201);
    let of_app = |rest: &str| format!("/api/v1/projects/app{rest}");
    administrator.post(&of_app("/audiences"), &json!({ "key": "all", "name": "All", "conditions": [] })).await.ok(201);
    server.production_editor().delete(&of_app("")).await.problem(403, "forbidden");
    administrator.delete(&of_app("")).await.ok(204);
    assert_eq!(administrator.get(PROJECTS).await.column("key"), ["shop"]);
    for path in ["", "/audiences", "/pipelines", "/features"] {
        administrator.get(&of_app(path)).await.problem(404, "not-found");
    }
    // The key can be used again.
    administrator.post(PROJECTS, &json!({ "key": "app", "name": "Again" })).await.ok(201);
    assert_eq!(administrator.get(&of_app("/audiences")).await.items().len(), 0);
}
