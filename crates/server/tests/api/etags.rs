//! Versions of resources: `ETag` in responses, `If-Match` in all kinds of writes.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Server, environment, features, on_default_database, on_each_database, project};

/// Resources that can be created, changed and deleted: path and body.
fn resources() -> Vec<(String, Value)> {
    let named = json!({ "key": "new", "name": "New" });
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    vec![
        ("/api/v1/users".to_owned(), json!({ "name": "New", "role": "editor" })),
        ("/api/v1/projects".to_owned(), named.clone()),
        (project("/environments"), named.clone()),
        (
            environment("staging", "/experiments"),
            json!({ "key": "new", "name": "New", "featureKey": "reviews", "goals": [{ "key": "purchase", "role": "primary" }] }),
        ),
        (project("/audiences"), json!({ "key": "new", "name": "New", "conditions": [] })),
        (project("/pipelines"), json!({ "key": "new", "name": "New", "phases": phases })),
        (features(""), named),
    ]
}

#[apply(on_default_database)]
async fn if_match_takes_a_list_of_etags_and_refuses_weak_ones(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), project("/audiences/nordics"));
    let current = administrator.get(&path).await.etag();
    let before = server.stored_rows().await;
    let rename = |number: usize| json!({ "name": format!("Name {number}") });
    administrator.patch_if(&path, "\"98\", \"99\"", &rename(0)).await.assert_stale("\"99\"", &current);
    let weak = format!("W/{current}");
    for refused in [weak.as_str(), &format!("{current}, {weak}"), "*, \"1\"", ",", "\"1\" \"2\"", "new"] {
        let problem = administrator.patch_if(&path, refused, &rename(0)).await.problem(400, "invalid-if-match");
        let is_weak = problem["detail"].as_str().unwrap().contains("weak");
        assert_eq!(is_weak, refused.contains("W/"), "{refused}: {problem}");
    }
    server.assert_unchanged_since(&before).await;
    for (number, list) in ["\"99\", {}", "{},\"99\"", " {} , ", "*"].into_iter().enumerate() {
        let current = administrator.get(&path).await.etag();
        administrator.patch_if(&path, &list.replace("{}", &current), &rename(number + 1)).await.ok(200);
    }
    // The same header on several lines is one list.
    let current = administrator.get(&path).await.etag();
    let request = administrator.request(Method::PATCH, &path).header("if-match", "\"99\"").header("if-match", current);
    administrator.send(request.json(&rename(9))).await.ok(200);
}

#[apply(on_each_database)]
async fn every_resource_can_be_changed_and_deleted_only_with_the_current_etag(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for (list, created_with) in resources() {
        let created = administrator.post(&list, &created_with).await;
        let body = created.ok(201);
        let path = format!("{list}/{}", body["id"].as_str().filter(|_| list.ends_with("users")).unwrap_or("new"));
        let first = created.etag();
        assert_eq!(administrator.get(&path).await.etag(), first, "{path}");

        let changed = administrator.patch_if(&path, &first, &json!({ "name": "Newer" })).await;
        changed.ok(200);
        assert_ne!(changed.etag(), first, "{path}");
        assert_eq!(administrator.get(&path).await.etag(), changed.etag(), "{path}");
        if list == features("") {
            let archived = administrator.patch(&path, &json!({ "lifecycle": "Archived" })).await;
            archived.ok(200);
        }
        let current = administrator.get(&path).await.etag();

        let before = server.stored_rows().await;
        administrator.patch_if(&path, &first, &json!({ "name": "Newest" })).await.assert_stale(&first, &current);
        let delete = |etag: &str| administrator.request(Method::DELETE, &path).header("if-match", etag);
        administrator.send(delete(&first)).await.assert_stale(&first, &current);
        administrator.send(delete("new")).await.problem(400, "invalid-if-match");
        server.assert_unchanged_since(&before).await;
        administrator.send(delete(&current)).await.ok(204);
        administrator.get(&path).await.problem(404, "not-found");

        // Another resource of the same key is not the one that somebody has seen.
        server.clock.set(Instant(server.app.now().0 + 1_000));
        let next = administrator.post(&list, &created_with).await;
        next.ok(201);
        if path.ends_with("/new") {
            for seen in [&first, &current] {
                administrator
                    .patch_if(&path, seen, &json!({ "name": "Newest" }))
                    .await
                    .assert_stale(seen, &next.etag());
            }
        }
    }
}
