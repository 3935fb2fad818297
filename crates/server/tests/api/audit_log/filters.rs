//! Filters of the audit log by resource, person and time, its pages, and its organisation.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{AUDIT_LOG, START};
use crate::fixture::{Caller, Server, at, features, on_default_database, on_each_database, project, targeting_of};

async fn resources(caller: &Caller, query: &str) -> Vec<Value> {
    caller.get(&format!("{AUDIT_LOG}?{query}")).await.column("resource")
}

#[apply(on_default_database)]
async fn the_resource_filter_includes_everything_below_it_but_not_other_keys_with_the_same_prefix(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    let keys = ["one", "one-two", "one_two", "oneXtwo", "One"];
    for (second, key) in keys.iter().enumerate() {
        server.clock.set(Instant(at(START).0 + 1000 * second as i64));
        editor.post(&features(""), &json!({ "key": key, "name": "New" })).await.ok(201);
    }
    for (resource, expected) in [
        ("projects/shop/features/one", &["projects/shop/features/one"][..]),
        ("projects/shop/features/One", &["projects/shop/features/One"]),
        ("projects/shop/features/one_two", &["projects/shop/features/one_two"]),
        ("projects/shop/features/on", &[]),
        ("projects/shop/features/%25", &[]),
        ("projects/sho", &[]),
        ("projects/SHOP", &[]),
        ("users", &[]),
    ] {
        assert_eq!(resources(&editor, &format!("resource={resource}")).await, expected, "{resource}");
    }
    let below = resources(&editor, &format!("resource=projects/shop&from={START}")).await;
    let newest_first: Vec<_> = keys.iter().rev().map(|key| format!("projects/shop/features/{key}")).collect();
    assert_eq!(below, newest_first);
    let of_environment = resources(&editor, "resource=projects/shop/environments/staging").await;
    assert!(of_environment.contains(&json!("projects/shop/environments/staging")), "{of_environment:?}");
    assert!(of_environment.len() > 1, "including its client key");
}

#[apply(on_default_database)]
async fn filters_by_person_and_time_work_alone_and_combined(database: Database) {
    let server = Server::start(&database).await;
    let (editor, other) = (server.editor(), server.production_editor());
    let id = editor.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    for (hour, caller, enabled) in [(11, &editor, false), (12, &other, true), (13, &editor, false)] {
        server.clock.set(at(&format!("2026-11-21T{hour}:00:00Z")));
        caller.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": enabled })).await.ok(200);
    }
    let times = async |query: &str| {
        let times = editor.get(&format!("{AUDIT_LOG}?{query}")).await.column("at");
        times.iter().map(|time| time.as_str().unwrap()[11..13].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(times(&format!("userId={id}")).await, ["13", "11"]);
    assert_eq!(times("userId=nobody").await, [] as [&str; 0]);
    // `from` is inclusive, `to` is exclusive.
    assert_eq!(times("from=2026-11-21T12:00:00Z").await, ["13", "12"]);
    assert_eq!(times("from=2026-11-21T11:00:00Z&to=2026-11-21T13:00:00Z").await, ["12", "11"]);
    // Times may have an offset.
    assert_eq!(times("from=2026-11-21T13:00:00%2B01:00&to=2026-11-21T14:00:00%2B01:00").await, ["12"]);
    assert_eq!(times(&format!("userId={id}&from=2026-11-21T12:00:00Z")).await, ["13"]);
    assert_eq!(times("from=2026-11-22T00:00:00Z").await, [] as [&str; 0]);
    for wrong in ["from=soon", "to=2026-11-21"] {
        editor.get(&format!("{AUDIT_LOG}?{wrong}")).await.problem(400, "invalid-query");
    }
}

#[apply(on_default_database)]
async fn the_action_filter_selects_one_action_or_all_on_a_kind_of_resource(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    server.clock.set(at(START));
    editor.post(&features(""), &json!({ "key": "one", "name": "One" })).await.ok(201);
    server.clock.set(at("2026-11-21T11:00:01Z"));
    editor.patch(&features("/one"), &json!({ "name": "First" })).await.ok(200);
    server.clock.set(at("2026-11-21T11:00:02Z"));
    editor.patch(&targeting_of("one", "staging"), &json!({ "enabled": true })).await.ok(200);
    for (action, expected) in [
        ("feature", &["feature.update", "feature.create"][..]),
        ("feature.create", &["feature.create"]),
        ("targeting", &["targeting.update"]),
        ("targeting.upd", &[]),
        ("feat", &[]),
        ("%25", &[]),
    ] {
        let found = editor.get(&format!("{AUDIT_LOG}?action={action}&from={START}")).await.column("action");
        assert_eq!(found, expected, "{action}");
    }
    let both = format!("action=feature&resource=projects/shop/features/one&from={START}&limit=1");
    assert_eq!(resources(&editor, &both).await, ["projects/shop/features/one"]);
}

#[apply(on_default_database)]
async fn no_entry_is_lost_or_repeated_across_pages(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let whole = reader.get(&format!("{AUDIT_LOG}?limit=200")).await;
    assert!(whole.ok(200)["nextCursor"].is_null());
    let whole = whole.column("id");
    assert!(whole.len() > 20, "{}", whole.len());
    let (mut walked, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = reader.get(&format!("{AUDIT_LOG}?limit=7{cursor}")).await;
        walked.extend(page.column("id"));
        let Some(next) = page.ok(200)["nextCursor"].as_str().map(str::to_owned) else { break };
        cursor = format!("&cursor={next}");
        // Entries written meanwhile are newer than all remaining pages.
        server.clock.set(Instant(server.app.now().0 + 1000));
        server.switch_search_suggestions("staging", walked.len() % 2 == 0).await;
    }
    assert_eq!(walked, whole);
}

#[apply(on_default_database)]
async fn another_organisation_does_not_see_the_audit_log(database: Database) {
    let server = Server::start(&database).await;
    let outsider = server.outsider().await;
    let id = server.editor().get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    server.editor().patch(&features("/reviews"), &json!({ "name": "Opinions" })).await.ok(200);
    for query in ["", "resource=projects/shop", &format!("userId={id}"), &format!("from={START}")] {
        assert_eq!(resources(&outsider, query).await, [] as [Value; 0], "{query}");
    }
    outsider.post("/api/v1/projects", &json!({ "key": "shop", "name": "Theirs" })).await.ok(201);
    assert_eq!(resources(&outsider, "").await, ["projects/shop"]);
    let ours = server.read_only().get(&format!("{AUDIT_LOG}?limit=200&resource=projects/shop")).await;
    assert!(!ours.text.contains("Theirs"), "{}", ours.text);
    outsider.get(&project("")).await.ok(200);
}

#[apply(on_each_database)]
async fn the_environment_filter_selects_targeting_changes_there(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    // A name that looks like a field is just a string.
    let forged = json!({ "name": "\"environmentKey\":\"staging\"" });
    for (hour, path, change) in [
        (11, "/reviews/environments/staging", json!({ "enabled": false })),
        (12, "/reviews/environments/development", json!({ "enabled": false })),
        (13, "/gift-cards/environments/staging", json!({ "enabled": true })),
        (14, "/gift-cards", forged),
    ] {
        server.clock.set(at(&format!("2026-11-21T{hour}:00:00Z")));
        editor.patch(&features(path), &change).await.ok(200);
    }
    for (query, expected) in [
        ("environmentKey=staging", &["gift-cards", "reviews"][..]),
        ("environmentKey=development", &["reviews"]),
        ("environmentKey=stag", &[]),
        ("environmentKey=staging&resource=projects/shop/features/reviews", &["reviews"]),
    ] {
        let expected: Vec<_> = expected.iter().map(|key| format!("projects/shop/features/{key}")).collect();
        assert_eq!(resources(&editor, &format!("{query}&from=2026-11-21T11:00:00Z")).await, expected, "{query}");
    }
}
