//! Edits of a saved audience: new conditions change every feature that uses it, and an audience in use can't be deleted.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, condition, on_default_database, on_each_database, project, targeting_of};

fn audience(key: &str) -> String {
    project(&format!("/audiences/{key}"))
}

/// A condition that matches customers of a plan.
fn plan(plan: &str) -> Value {
    json!({ "conditions": [condition("plan", "in", json!([plan]))] })
}

/// The versions of the environments, in order.
async fn versions(caller: &Caller) -> Vec<u64> {
    let versions = caller.get(&project("/environments")).await.column("version");
    versions.iter().map(|version| version.as_u64().unwrap()).collect()
}

/// The number of audit records.
async fn audit_records(server: &Server) -> usize {
    server.stored_rows().await.count("audit_log")
}

#[apply(on_default_database)]
async fn an_audience_is_returned_with_its_uses(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let place = |feature: &str, environment: &str| json!({ "featureKey": feature, "environmentKey": environment });
    for (key, places) in [
        (
            "nordics",
            vec![
                place("express-delivery", "development"),
                place("express-delivery", "staging"),
                place("express-delivery", "production"),
            ],
        ),
        ("paying-customers", vec![place("recommendations", "development"), place("recommendations", "staging")]),
        // A rule is a use even while targeting is off.
        ("staff", vec![place("reviews", "production")]),
        ("staging-testers", vec![place("express-delivery", "staging")]),
    ] {
        assert_eq!(reader.get(&audience(key)).await.ok(200)["usedIn"], json!(places), "{key}");
    }
    server
        .editor()
        .post(&project("/audiences"), &json!({ "key": "new", "name": "New", "conditions": [] }))
        .await
        .ok(201);
    assert_eq!(reader.get(&audience("new")).await.ok(200)["usedIn"], json!([]));
    reader.get(&audience("nothing")).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn changed_conditions_reach_the_streams_of_every_environment_that_uses_the_audience(database: Database) {
    let server = Server::start(&database).await;
    let user = json!({ "id": "alice", "attributes": { "plan": "school" } });
    let mut streams = Vec::new();
    for environment in ["development", "staging"] {
        let browser = server.browser(environment);
        let loaded = browser.load(&user).await;
        assert_eq!(loaded.features["recommendations"], "off");
        streams.push(browser.open(&loaded).await);
    }
    let before = versions(&server.read_only()).await;
    let edited = server.editor().patch(&audience("paying-customers"), &plan("school")).await.ok(200);
    assert_eq!(edited["conditions"], plan("school")["conditions"]);
    // The change is in effect when the response arrives.
    assert_eq!(server.browser("staging").load(&user).await.features["recommendations"], "on");
    for stream in &mut streams {
        assert_eq!(stream.patch().await, json!({ "recommendations": "on" }));
    }
    // Production has the same conditions inline and is not affected.
    assert_eq!(server.browser("production").load(&user).await.features["recommendations"], "off");
    assert_eq!(versions(&server.read_only()).await, [before[0] + 1, before[1] + 1, before[2]]);
}

#[apply(on_default_database)]
async fn new_conditions_raise_the_version_of_each_targeting_that_uses_the_audience(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let targetings = ["staging", "production"].map(|environment| targeting_of("recommendations", environment));
    let seen = [editor.get(&targetings[0]).await, editor.get(&targetings[1]).await].map(|response| response.etag());
    editor.patch(&audience("paying-customers"), &plan("school")).await.ok(200);
    let current = editor.get(&targetings[0]).await;
    assert_ne!(current.etag(), seen[0]);
    // Production has the same conditions inline.
    assert_eq!(editor.get(&targetings[1]).await.etag(), seen[1]);

    let before = server.stored_rows().await;
    let off = json!({ "enabled": false });
    editor.patch_if(&targetings[0], &seen[0], &off).await.assert_stale(&seen[0], &current.etag());
    let mut copy = json!({
        "source": "production", "target": "staging", "featureKeys": ["recommendations"], "settings": { "rules": true },
        "targetVersions": { "recommendations": seen[0].trim_matches('"').parse::<u64>().unwrap() },
    });
    let skipped = editor.post(&project("/environments/copy"), &copy).await.ok(200);
    assert_eq!(skipped["results"][0]["reason"]["code"], "targetChanged", "{skipped}");
    server.assert_unchanged_since(&before).await;

    copy["targetVersions"]["recommendations"] = current.ok(200)["version"].clone();
    let copied = editor.post(&project("/environments/copy"), &copy).await.ok(200);
    assert_eq!(copied["results"][0]["outcome"], "APPLIED", "{copied}");
}

#[apply(on_default_database)]
async fn each_use_gets_an_audit_record_and_an_outbox_entry(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    server.clock.set(crate::fixture::at("2026-11-21T11:00:00Z"));
    server.production_editor().patch(&audience("nordics"), &plan("pro")).await.ok(200);
    let after = server.stored_rows().await;
    // Three environments use it, and the audience itself changed.
    assert_eq!(after.count("outbox"), before.count("outbox") + 3);
    assert_eq!(after.count("audit_log"), before.count("audit_log") + 4);
    let log = server.read_only().get("/api/v1/audit-log?from=2026-11-21T11:00:00Z").await.items();
    let of = |resource: &str| log.iter().filter(|entry| entry["resource"] == resource).count();
    assert_eq!(of("projects/shop/features/express-delivery"), 3);
    assert_eq!(of("projects/shop/audiences/nordics"), 1);
    let written = before.differences(&after);
    let outbox: Vec<_> = written.iter().filter(|row| row.starts_with("outbox:")).collect();
    assert!(outbox.iter().all(|row| row.contains("ruleEdited") && row.contains("express-delivery")), "{outbox:?}");
    assert_eq!(outbox.len(), 3);
}

#[apply(on_default_database)]
async fn an_editor_cannot_edit_an_audience_used_in_production_and_is_told_the_uses(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    for (key, feature) in [("nordics", "express-delivery"), ("staff", "reviews")] {
        let refused = server.editor().patch(&audience(key), &plan("pro")).await.problem(403, "forbidden");
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.contains(feature) && detail.contains("production"), "{detail}");
    }
    server.assert_unchanged_since(&before).await;
    // The name is not part of any targeting.
    server.editor().patch(&audience("nordics"), &json!({ "name": "The North" })).await.ok(200);
    server.production_editor().patch(&audience("nordics"), &plan("pro")).await.ok(200);
}

#[apply(on_default_database)]
async fn renaming_an_audience_changes_no_version_and_wakes_no_stream(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    let before = (versions(&server.read_only()).await, audit_records(&server).await);
    let renamed = server.editor().patch(&audience("paying-customers"), &json!({ "name": "Payers" })).await.ok(200);
    assert_eq!(renamed["name"], "Payers");
    assert_eq!(versions(&server.read_only()).await, before.0);
    assert_eq!(audit_records(&server).await, before.1 + 1);
    // The next event is for the next change.
    server.switch_search_suggestions("staging", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn an_edit_without_effect_leaves_no_audit_record(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), audience("nordics"));
    let known = editor.get(&path).await.ok(200);
    let before = server.stored_rows().await;
    for edit in [json!({}), json!({ "name": known["name"], "conditions": known["conditions"] })] {
        editor.patch(&path, &edit).await.ok(200);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn conditions_that_can_never_match_are_rejected_in_edits_too(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let conditions = json!([condition("plan", "in", json!(["pro"])), condition("plan", "matches", json!(["("]))]);
    let refused = server.editor().patch(&audience("paying-customers"), &json!({ "conditions": conditions })).await;
    assert_eq!(refused.pointers(), ["/conditions/1/values/0"]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_edit_with_an_old_etag_is_rejected_with_both_versions(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), audience("paying-customers"));
    let seen = editor.get(&path).await.etag();
    let first = editor.patch_if(&path, &seen, &plan("school")).await;
    first.ok(200);
    let before = server.stored_rows().await;
    editor.patch_if(&path, &seen, &plan("team")).await.assert_stale(&seen, &first.etag());
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn an_audience_in_use_cannot_be_deleted_and_the_error_names_its_uses(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), audience("paying-customers"));
    let before = server.stored_rows().await;
    let refused = editor.delete(&path).await.problem(409, "in-use");
    let detail = refused["detail"].as_str().unwrap();
    for place in ["recommendations in development", "recommendations in staging"] {
        assert!(detail.contains(place), "{place}: {detail}");
    }
    server.assert_unchanged_since(&before).await;
    for environment in ["development", "staging"] {
        editor.patch(&targeting_of("recommendations", environment), &json!({ "rules": [] })).await.ok(200);
    }
    server.read_only().delete(&path).await.problem(403, "forbidden");
    server.outsider().await.delete(&path).await.problem(404, "not-found");
    editor.delete(&path).await.ok(204);
    editor.get(&path).await.problem(404, "not-found");
}

#[apply(on_each_database)]
async fn adding_a_use_and_deleting_the_audience_never_both_succeed(database: Database) {
    let server = Server::start(&database).await;
    let (editor, other) = (server.editor(), server.administrator());
    let rule = json!({ "name": "", "audienceKey": "fleeting", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    let new = json!({ "key": "fleeting", "name": "Fleeting", "conditions": [] });
    for _ in 0..5 {
        editor.post(&project("/audiences"), &new).await.ok(201);
        let path = targeting_of("gift-cards", "staging");
        let (named, deleted) = (json!({ "rules": [rule] }), audience("fleeting"));
        let (named, deleted) = tokio::join!(editor.patch(&path, &named), other.delete(&deleted));
        if named.status == 200 {
            deleted.problem(409, "in-use");
            editor.patch(&path, &json!({ "rules": [] })).await.ok(200);
            other.delete(&audience("fleeting")).await.ok(204);
        } else {
            assert_eq!(named.pointers(), ["/rules/0/audienceKey"]);
            deleted.ok(204);
        }
    }
}
