//! `/api/v1/projects/{projectKey}/preferences`: each person's favourites and saved views of the feature list.

use std::collections::HashSet;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, on_default_database, on_each_database, on_postgres, project};

fn path() -> String {
    project("/preferences")
}

fn view(name: &str, query: &str) -> Value {
    json!({ "name": name, "query": query })
}

#[apply(on_default_database)]
async fn each_person_has_favourites_and_views_of_their_own_in_each_project(database: Database) {
    let server = Server::start(&database).await;
    let none = json!({ "favourites": [], "views": [] });
    let (reader, editor) = (server.read_only(), server.editor());
    assert_eq!(reader.get(&path()).await.ok(200), none);
    let preferences = json!({
        "favourites": ["reviews", "gift-cards", "reviews"],
        "views": [view("Sale", "tag=sale&sort=name"), view("All", "")],
    });
    let mut expected = preferences.clone();
    expected["favourites"] = json!(["reviews", "gift-cards"]);
    assert_eq!(reader.put(&path(), &preferences).await.ok(200), expected);
    assert_eq!(reader.get(&path()).await.ok(200), expected);
    assert_eq!(editor.get(&path()).await.ok(200), none);
    server.administrator().post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    assert_eq!(reader.get("/api/v1/projects/other/preferences").await.ok(200), none);
    reader.put("/api/v1/projects/unknown/preferences", &preferences).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn a_page_does_not_overwrite_what_another_page_has_saved_since(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let seen = reader.get(&path()).await.etag();
    let saved = reader.put_if(&path(), &seen, &json!({ "favourites": ["reviews"], "views": [] })).await;
    saved.ok(200);
    let late = reader.put_if(&path(), &seen, &json!({ "favourites": ["gift-cards"], "views": [] })).await;
    late.assert_stale(&seen, &saved.etag());
    assert_eq!(reader.get(&path()).await.ok(200)["favourites"], json!(["reviews"]));
}

#[apply(on_each_database)]
async fn of_pages_that_save_at_the_same_time_each_is_answered_and_one_wins_each_version(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let seen = reader.get(&path()).await.etag();
    let bodies: Vec<_> = (0..8).map(|n| json!({ "favourites": [format!("feature-{n}")], "views": [] })).collect();
    let answers = join_all(bodies.iter().map(async |body| reader.put_if(&path(), &seen, body).await)).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 412).count(), 7);
    // Without If-Match none is refused.
    let answers = join_all(bodies.iter().map(async |body| reader.put(&path(), body).await)).await;
    let etags: HashSet<_> = answers.iter().map(|answer| answer.etag()).collect();
    assert_eq!(etags.len(), 8);
    answers.into_iter().zip(&bodies).for_each(|(answer, body)| assert_eq!(&answer.ok(200), body));
}

#[apply(on_postgres)]
async fn saving_preferences_does_not_wait_for_those_who_change_the_project(database: Database) {
    let server = Server::start(&database).await;
    let mut writer = server.app.store.write().await.unwrap();
    let lock = "UPDATE projects SET revision = revision";
    sqlx::query(lock).execute(writer.connection().await.unwrap()).await.unwrap();
    let saved = server.read_only().put(&path(), &json!({ "favourites": ["reviews"], "views": [] })).await;
    saved.ok(200);
    drop(writer);
}

#[apply(on_default_database)]
async fn preferences_that_cannot_be_stored_are_rejected(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let many = |count: usize| (0..count).map(|number| format!("feature-{number}")).collect::<Vec<_>>();
    let views = |count: usize| (0..count).map(|number| view(&number.to_string(), "")).collect::<Vec<_>>();
    reader.put(&path(), &json!({ "favourites": many(1_000), "views": views(50) })).await.ok(200);
    let before = server.stored_rows().await;
    for (favourites, views, pointer) in [
        (json!(many(1_001)), json!([]), "/favourites"),
        (json!(["not a key"]), json!([]), "/favourites/0"),
        (json!([]), json!(views(51)), "/views"),
        (json!([]), json!([view("Sale", "tag=sale"), view("Sale", "")]), "/views/1/name"),
        (json!([]), json!([view(" ", "")]), "/views/0/name"),
        (json!([]), json!([view("Long", &"a".repeat(1_001))]), "/views/0/query"),
    ] {
        let refused = reader.put(&path(), &json!({ "favourites": favourites, "views": views })).await;
        assert_eq!(refused.pointers(), [pointer]);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_deleted_person_or_project_leaves_no_preferences(database: Database) {
    let server = Server::start(&database).await;
    let (reader, administrator) = (server.read_only(), server.administrator());
    let count = async || {
        let mut connection = server.app.store.read().await.unwrap();
        let count: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM preferences").fetch_one(&mut *connection).await.unwrap();
        count
    };
    administrator.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    for path in [path(), "/api/v1/projects/other/preferences".to_owned()] {
        reader.put(&path, &json!({ "favourites": ["reviews"], "views": [] })).await.ok(200);
        administrator.put(&path, &json!({ "favourites": [], "views": [] })).await.ok(200);
    }
    assert_eq!(count().await, 4);
    administrator.delete("/api/v1/projects/other").await.ok(204);
    assert_eq!(count().await, 2);
    let person = reader.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    administrator.delete(&format!("/api/v1/users/{person}")).await.ok(204);
    assert_eq!(count().await, 1);
}
