//! `/api/v1/projects`.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, on_each_database};

const PROJECTS: &str = "/api/v1/projects";

#[apply(on_each_database)]
async fn an_administrator_creates_a_project_and_everybody_sees_it(database: Database) {
    let server = Server::start(&database).await;
    let new = json!({ "key": "app", "name": "App" });
    assert_eq!(server.administrator().post(PROJECTS, &new).await.ok(201), new);
    let expected = json!({ "items": [new, { "key": "shop", "name": "Shop" }] });
    assert_eq!(server.read_only().get(PROJECTS).await.ok(200), expected);
    let environments = server.read_only().get("/api/v1/projects/app/environments").await.ok(200);
    assert_eq!(environments, json!({ "items": [] }));
}

#[apply(on_each_database)]
async fn a_key_that_is_taken_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored().await;
    let again = json!({ "key": "shop", "name": "Another shop" });
    let problem = server.administrator().post(PROJECTS, &again).await.problem(409, "exists");
    assert!(problem["detail"].as_str().unwrap().contains("'shop'"));
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn two_organisations_may_have_projects_of_one_key(database: Database) {
    let server = Server::start(&database).await;
    let stranger = server.stranger().await;
    assert_eq!(stranger.get(PROJECTS).await.ok(200), json!({ "items": [] }));
    let theirs = json!({ "key": "shop", "name": "Theirs" });
    stranger.post(PROJECTS, &theirs).await.ok(201);
    assert_eq!(stranger.get(PROJECTS).await.ok(200), json!({ "items": [theirs] }));
    let ours = json!({ "items": [{ "key": "shop", "name": "Shop" }] });
    assert_eq!(server.administrator().get(PROJECTS).await.ok(200), ours);
}

#[apply(on_each_database)]
async fn of_two_who_create_one_project_at_once_one_is_told_of_the_other(database: Database) {
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
