//! Versions of resources: `ETag` in responses, `If-Match` in all kinds of writes.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Server, features, on_each_database, project};

/// Resources that can be created, changed and deleted: path and body.
fn resources() -> Vec<(String, Value)> {
    let named = json!({ "key": "new", "name": "New" });
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    vec![
        ("/api/v1/users".to_owned(), json!({ "name": "New", "role": "editor" })),
        ("/api/v1/projects".to_owned(), named.clone()),
        (project("/environments"), named.clone()),
        (project("/audiences"), json!({ "key": "new", "name": "New", "conditions": [] })),
        (project("/pipelines"), json!({ "key": "new", "name": "New", "phases": phases })),
        (features(""), named),
    ]
}

#[apply(on_each_database)]
async fn every_resource_can_be_changed_and_deleted_only_with_the_current_etag(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for (list, body) in resources() {
        let created = administrator.post(&list, &body).await;
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
    }
}
