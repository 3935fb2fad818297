//! A change recompiles only the features that it changed.

use std::sync::Arc;

use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::serving::snapshot::EnvironmentSnapshot;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, environment, features, on_each_database, targeting_of};

/// The environment's snapshot in the memory of this node.
async fn snapshot(server: &Server, key: &str) -> Arc<EnvironmentSnapshot> {
    let id = server.read_only().get(&environment(key, "")).await.ok(200)["id"].as_str().unwrap().to_owned();
    server.app.serving.snapshots.current(&EnvironmentId::from(id)).unwrap().snapshot
}

/// The features of `now` that are not shared with `before`, so they were compiled since.
fn compiled_since(before: &EnvironmentSnapshot, now: &EnvironmentSnapshot) -> Vec<String> {
    let taken_over = |feature| before.features.iter().any(|known| Arc::ptr_eq(known, feature));
    let recompiled = now.features.iter().filter(|feature| !taken_over(feature));
    recompiled.map(|feature| feature.compiled.key().to_string()).collect()
}

#[apply(on_each_database)]
async fn switching_one_feature_recompiles_only_that_feature(database: Database) {
    let server = Server::start(&database).await;
    let (staging, production) = (snapshot(&server, "staging").await, snapshot(&server, "production").await);
    server.switch_search_suggestions("production", false).await;

    let flipped = snapshot(&server, "production").await;
    assert_eq!(compiled_since(&production, &flipped), ["search-suggestions"]);
    assert_eq!(flipped.features.len(), production.features.len());
    assert!(Arc::ptr_eq(&staging, &snapshot(&server, "staging").await), "the other environment is unchanged");
}

#[apply(on_each_database)]
async fn a_new_feature_recompiles_no_other_feature(database: Database) {
    let server = Server::start(&database).await;
    let before = snapshot(&server, "production").await;
    server.editor().post(&features(""), &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    assert_eq!(compiled_since(&before, &*snapshot(&server, "production").await), ["new-one"]);
}

#[apply(on_each_database)]
async fn a_write_without_effect_recompiles_nothing(database: Database) {
    let server = Server::start(&database).await;
    let before = snapshot(&server, "production").await;
    let path = targeting_of("search-suggestions", "production");
    server.administrator().patch(&path, &json!({ "enabled": true })).await.ok(200);
    assert!(Arc::ptr_eq(&before, &snapshot(&server, "production").await));
}
