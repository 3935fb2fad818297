//! Edits of a feature: concurrent edits, variants in use, pipelines, archiving and deleting.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, features, on_default_database, on_each_database, project, targeting, targeting_of};

#[apply(on_default_database)]
async fn a_save_with_an_old_etag_is_rejected_with_both_versions(database: Database) {
    let server = Server::start(&database).await;
    let (first, second, path) = (server.editor(), server.production_editor(), features("/reviews"));
    let seen = first.get(&path).await.etag();
    assert_eq!(second.get(&path).await.etag(), seen);
    let saved = first.patch_if(&path, &seen, &json!({ "name": "Opinions" })).await;
    saved.ok(200);
    assert_ne!(saved.etag(), seen);
    let before = server.stored_rows().await;
    let late = second.patch_if(&path, &seen, &json!({ "description": "What others say." })).await;
    late.assert_stale(&seen, &saved.etag());
    server.assert_unchanged_since(&before).await;

    let known = second.get(&path).await;
    assert_eq!((known.ok(200), known.etag()), (saved.ok(200), saved.etag()));
    let edit = json!({ "description": "What others say." });
    let merged = second.patch_if(&path, &known.etag(), &edit).await.ok(200);
    assert_eq!((&merged["name"], &merged["description"]), (&json!("Opinions"), &edit["description"]));
}

#[apply(on_each_database)]
async fn of_concurrent_saves_over_one_version_only_one_succeeds(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), features("/reviews"));
    let seen = editor.get(&path).await.etag();
    let save = |number: u32| {
        let edit = json!({ "name": format!("Name {number}") });
        let (editor, path, seen) = (&editor, &path, &seen);
        async move { editor.patch_if(path, seen, &edit).await }
    };
    let responses = futures_util::future::join_all((0..10).map(save)).await;
    let saved: Vec<_> = responses.iter().filter(|response| response.status == 200).collect();
    assert_eq!(saved.len(), 1);
    for response in responses.iter().filter(|response| response.status != 200) {
        response.assert_stale(&seen, &saved[0].etag());
    }
    assert_eq!(editor.get(&path).await.ok(200), saved[0].ok(200));
}

#[apply(on_default_database)]
async fn without_if_match_the_last_write_wins(database: Database) {
    let server = Server::start(&database).await;
    let path = features("/reviews");
    server.editor().patch(&path, &json!({ "name": "First", "tags": ["one"] })).await.ok(200);
    server.production_editor().patch(&path, &json!({ "name": "Second" })).await.ok(200);
    let known = server.editor().get(&path).await.ok(200);
    assert_eq!((&known["name"], &known["tags"]), (&json!("Second"), &json!(["one"])));
}

#[apply(on_default_database)]
async fn a_variant_in_use_cannot_be_removed_and_the_error_names_its_uses(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.production_editor(), features("/banner-color"));
    let with = |variants: &[&str]| json!({ "variants": variants });
    let before = server.stored_rows().await;
    // Each environment serves teal in a split; the off variant in production is off.
    for (kept, missing) in [(["off", "amber", "plum"], "'teal'"), (["teal", "amber", "plum"], "'off'")] {
        let refused = editor.patch(&path, &with(&kept)).await.problem(409, "in-use");
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.contains(missing), "{detail}");
        assert!(["development", "staging", "production"].iter().any(|place| detail.contains(place)), "{detail}");
    }
    assert_eq!(editor.patch(&path, &with(&["off"])).await.pointers(), ["/variants"]);
    assert_eq!(editor.patch(&path, &with(&["off", "off"])).await.pointers(), ["/variants/1"]);
    server.assert_unchanged_since(&before).await;

    // An unused variant can be added and removed.
    let more = with(&["off", "teal", "amber", "plum", "rust"]);
    assert_eq!(editor.patch(&path, &more).await.ok(200)["variants"], more["variants"]);
    let fewer = with(&["teal", "off", "amber", "plum"]);
    assert_eq!(editor.patch(&path, &fewer).await.ok(200)["variants"], fewer["variants"]);
    // A removed variant cannot be served.
    let rust = json!({ "name": "", "splits": [{ "variantKey": "rust", "percentage": 100 }] });
    let refused = editor.put(&targeting_of("banner-color", "staging"), &targeting(&[rust])).await;
    assert_eq!(refused.pointers(), ["/rules/0/splits/0/variantKey"]);
}

#[apply(on_default_database)]
async fn a_feature_is_assigned_to_a_pipeline_and_null_removes_it(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), features("/reviews"));
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    let pipeline = json!({ "key": "release", "name": "Release", "phases": phases });
    server.administrator().post(&project("/pipelines"), &pipeline).await.ok(201);

    let assigned = editor.patch(&path, &json!({ "pipelineKey": "release" })).await.ok(200);
    assert_eq!(assigned["pipelineKey"], "release");
    // Omitted fields are unchanged.
    assert_eq!(editor.patch(&path, &json!({ "name": "Opinions" })).await.ok(200)["pipelineKey"], "release");
    let listed = editor.get(&features("?limit=200")).await.items();
    assert_eq!(listed.iter().filter(|feature| feature["pipelineKey"] == "release").count(), 1);
    assert_eq!(editor.patch(&path, &json!({ "pipelineKey": "nowhere" })).await.pointers(), ["/pipelineKey"]);
    assert_eq!(editor.patch(&path, &json!({ "pipelineKey": null })).await.ok(200)["pipelineKey"], Value::Null);
    assert_eq!(editor.get(&path).await.ok(200)["pipelineKey"], Value::Null);

    let new = json!({ "key": "new-one", "name": "New", "pipelineKey": "release" });
    assert_eq!(editor.post(&features(""), &new).await.ok(201)["pipelineKey"], "release");
    let lost = json!({ "key": "new-two", "name": "New", "pipelineKey": "nowhere" });
    assert_eq!(editor.post(&features(""), &lost).await.pointers(), ["/pipelineKey"]);
    editor.get(&features("/new-two")).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn an_archived_feature_is_not_evaluated_until_it_is_restored(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path, browser) =
        (server.production_editor(), features("/search-suggestions"), server.browser("staging"));
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    for _ in 0..2 {
        editor.patch(&path, &json!({ "lifecycle": "Archived" })).await.ok(200);
        for environment in ["development", "staging", "production"] {
            let values = server.browser(environment).load_id("alice").await.features;
            assert!(!values.contains_key("search-suggestions"), "{environment}");
        }
        assert_eq!(stream.patch().await, json!({ "search-suggestions": null }));
        editor.patch(&path, &json!({ "lifecycle": "Active" })).await.ok(200);
        assert_eq!(browser.load_id("alice").await.features["search-suggestions"], "on");
        assert_eq!(stream.patch().await, json!({ "search-suggestions": "on" }));
    }
}

#[apply(on_default_database)]
async fn targeting_changed_while_a_feature_is_archived_applies_when_it_is_restored(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path, browser) =
        (server.production_editor(), features("/search-suggestions"), server.browser("staging"));
    editor.patch(&path, &json!({ "lifecycle": "Archived" })).await.ok(200);
    server.switch_search_suggestions("staging", false).await;
    assert!(!browser.load_id("alice").await.features.contains_key("search-suggestions"));
    editor.patch(&path, &json!({ "lifecycle": "Draft" })).await.ok(200);
    assert_eq!(browser.load_id("alice").await.features["search-suggestions"], "off");
}

#[apply(on_default_database)]
async fn only_archived_features_can_be_deleted(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.production_editor(), features("/reviews"));
    for lifecycle in ["Active", "Draft"] {
        editor.patch(&path, &json!({ "lifecycle": lifecycle })).await.ok(200);
        let before = server.stored_rows().await;
        let refused = editor.delete(&path).await.problem(409, "in-use");
        assert!(refused["detail"].as_str().unwrap().contains(lifecycle), "{refused}");
        server.assert_unchanged_since(&before).await;
    }
    editor.patch(&path, &json!({ "lifecycle": "Archived" })).await.ok(200);
    server.read_only().delete(&path).await.problem(403, "forbidden");
    server.outsider().await.delete(&path).await.problem(404, "not-found");
    editor.delete(&path).await.ok(204);
    editor.get(&path).await.problem(404, "not-found");
    editor.get(&targeting_of("reviews", "staging")).await.problem(404, "not-found");
    editor.delete(&path).await.problem(404, "not-found");

    // Its key can be used again, and its old targeting is gone.
    editor.post(&features(""), &json!({ "key": "reviews", "name": "Again" })).await.ok(201);
    let stored = editor.get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!((&stored["enabled"], &stored["rules"]), (&json!(false), &json!([])));
    assert_eq!(server.browser("staging").load_id("alice").await.features["reviews"], "off");
}

#[apply(on_default_database)]
async fn a_feature_cannot_be_created_archived(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let new = json!({ "key": "new-one", "name": "New", "lifecycle": "Archived" });
    assert_eq!(server.editor().post(&features(""), &new).await.pointers(), ["/lifecycle"]);
    let odd = json!({ "key": "new-one", "name": "New", "lifecycle": "active" });
    assert_eq!(server.editor().post(&features(""), &odd).await.pointers(), ["/lifecycle"]);
    server.assert_unchanged_since(&before).await;
}
