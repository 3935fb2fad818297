//! `/api/v1/projects/{projectKey}/environments/compare`: both sides of each feature, their differences, and chips.

mod chips;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    ApiResponse, Caller, Proxy, Server, condition, environment, everyone, features, on_default_database,
    on_each_database, on_postgres, project, rule, split, targeting, targeting_of,
};

fn path(source: &str, target: &str) -> String {
    environment("compare", &format!("?source={source}&target={target}"))
}

/// Compares staging with production.
async fn compare_staging_with_production(caller: &Caller) -> Value {
    caller.get(&path("staging", "production")).await.ok(200)
}

/// The row of a feature in a comparison.
fn row<'a>(comparison: &'a Value, feature: &str) -> &'a Value {
    let rows = comparison["features"].as_array().unwrap();
    rows.iter().find(|row| row["key"] == feature).unwrap_or_else(|| panic!("{feature} in {comparison}"))
}

/// Sets the targeting of a feature in staging and in production.
async fn target(server: &Server, feature: &str, staging: &Value, production: &Value) {
    let administrator = server.administrator();
    administrator.put(&targeting_of(feature, "staging"), staging).await.ok(200);
    administrator.put(&targeting_of(feature, "production"), production).await.ok(200);
}

/// The differences of a feature with these targetings.
async fn differences(server: &Server, staging: &Value, production: &Value) -> Value {
    target(server, "reviews", staging, production).await;
    row(&compare_staging_with_production(&server.read_only()).await, "reviews")["differences"].clone()
}

fn off(mut targeting: Value) -> Value {
    targeting["enabled"] = json!(false);
    targeting
}

#[apply(on_default_database)]
async fn every_feature_that_is_not_archived_is_listed_by_key_and_counted(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, reader) = (server.administrator(), server.read_only());
    administrator
        .post(&features(""), &json!({ "key": "a-draft", "name": "Draft", "lifecycle": "Draft" }))
        .await
        .ok(201);
    administrator.patch(&features("/gift-cards"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    let listed = reader.get(&features("?limit=200")).await.items();
    let evaluated = listed.iter().filter(|feature| feature["lifecycle"] != "Archived");
    let record = |feature: &Value| {
        json!(["key", "name", "description", "lifecycle", "variants", "tags"].map(|field| &feature[field]))
    };
    let expected: Vec<_> = evaluated.map(record).collect();
    let comparison = compare_staging_with_production(&reader).await;
    let rows = comparison["features"].as_array().unwrap();
    let found: Vec<_> = rows.iter().map(record).collect();
    assert_eq!(found, expected);
    assert!(found.contains(&json!(["a-draft", "Draft", "", "Draft", ["on", "off"], []])), "{found:?}");
    assert!(!found.iter().any(|row| row[0] == "gift-cards"), "{found:?}");
    let different = rows.iter().filter(|row| row["differences"] != json!([])).count();
    assert_eq!(comparison["different"], different);
    assert_eq!(comparison["identical"], rows.len() - different);
}

#[apply(on_default_database)]
async fn both_sides_are_shown_in_full_with_their_rules_whether_on_or_off(database: Database) {
    let server = Server::start(&database).await;
    let swedes = rule(&[condition("country", "equals", json!(["SE"]))]);
    target(&server, "reviews", &targeting(&[swedes, split(33.333, 66.667)]), &off(targeting(&[everyone("on")]))).await;
    let comparison = compare_staging_with_production(&server.read_only()).await;
    for (side, environment) in [("source", "staging"), ("target", "production")] {
        let mut targeting = server.read_only().get(&targeting_of("reviews", environment)).await.ok(200);
        targeting.as_object_mut().unwrap().remove("served");
        assert_eq!(row(&comparison, "reviews")[side], targeting, "{environment}");
    }
    let target = &row(&comparison, "reviews")["target"];
    assert_eq!((&target["enabled"], &target["offVariantKey"]), (&json!(false), &json!("off")));
    assert_eq!(target["rules"][0]["splits"], everyone("on")["splits"]);
}

#[apply(on_each_database)]
async fn differences_have_exactly_the_specified_labels_in_order(database: Database) {
    let server = Server::start(&database).await;
    let base = targeting(&[everyone("on")]);
    let mut other_off = base.clone();
    other_off["offVariantKey"] = json!("on");
    let all = off(json!({ "offVariantKey": "on", "rules": [] }));
    for (production, expected) in [
        (base.clone(), json!([])),
        (off(base.clone()), json!(["On/off state"])),
        (other_off, json!(["Off variant"])),
        (targeting(&[everyone("off")]), json!(["Targeting rules"])),
        (all, json!(["On/off state", "Off variant", "Targeting rules"])),
    ] {
        assert_eq!(differences(&server, &base, &production).await, expected, "{production}");
    }
}

#[apply(on_default_database)]
async fn an_environment_that_is_off_but_has_different_rules_counts_as_different(database: Database) {
    let server = Server::start(&database).await;
    let both_off = (off(targeting(&[everyone("on")])), off(targeting(&[everyone("off")])));
    assert_eq!(differences(&server, &both_off.0, &both_off.1).await, json!(["Targeting rules"]));
}

#[apply(on_each_database)]
async fn rule_names_are_ignored_but_rule_order_is_compared(database: Database) {
    let server = Server::start(&database).await;
    let named = |mut rule: Value, name: &str| {
        rule["name"] = json!(name);
        rule
    };
    let swedes = rule(&[condition("country", "equals", json!(["SE"]))]);
    let staging = targeting(&[named(swedes.clone(), "Swedes"), named(everyone("off"), "Rest")]);
    let renamed = targeting(&[named(swedes.clone(), "Sweden first"), named(everyone("off"), "")]);
    assert_eq!(differences(&server, &staging, &renamed).await, json!([]));
    let turned = targeting(&[everyone("off"), swedes]);
    assert_eq!(differences(&server, &staging, &turned).await, json!(["Targeting rules"]));
    let halves = |one: &str, other: &str| {
        let half = |variant: &str| json!({ "variantKey": variant, "percentage": 50 });
        targeting(&[json!({ "name": "Halves", "splits": [half(one), half(other)] })])
    };
    let turned = differences(&server, &halves("on", "off"), &halves("off", "on")).await;
    assert_eq!(turned, json!(["Targeting rules"]));
}

#[apply(on_default_database)]
async fn a_saved_audience_equals_the_same_conditions_inline(database: Database) {
    let server = Server::start(&database).await;
    let conditions = [condition("plan", "in", json!(["team"])), condition("country", "equals", json!(["SE"]))];
    for (key, environment) in [("of-all", None), ("of-staging", Some("staging"))] {
        let mut audience = json!({ "key": key, "name": key, "conditions": conditions });
        if let Some(environment) = environment {
            audience["environmentKey"] = json!(environment);
        }
        server.administrator().post(&project("/audiences"), &audience).await.ok(201);
        let mut saved = rule(&[]);
        saved.as_object_mut().unwrap().remove("conditions");
        saved["audienceKey"] = json!(key);
        let staging = targeting(&[saved]);
        assert_eq!(differences(&server, &staging, &targeting(&[rule(&conditions)])).await, json!([]), "{key}");
        let others = [conditions[1].clone(), conditions[0].clone()];
        let other = targeting(&[rule(&others)]);
        assert_eq!(differences(&server, &staging, &other).await, json!(["Targeting rules"]), "{key}");
    }
}

#[apply(on_default_database)]
async fn swapping_source_and_target_swaps_the_sides_and_keeps_the_differences(database: Database) {
    let server = Server::start(&database).await;
    target(&server, "reviews", &targeting(&[everyone("on")]), &off(targeting(&[]))).await;
    let there = compare_staging_with_production(&server.read_only()).await;
    let back = server.read_only().get(&path("production", "staging")).await.ok(200);
    for count in ["different", "identical"] {
        assert_eq!(there[count], back[count], "{count}");
    }
    assert_eq!((&there["source"], &there["target"]), (&back["target"], &back["source"]));
    for feature in there["features"].as_array().unwrap() {
        let twin = row(&back, feature["key"].as_str().unwrap());
        assert_eq!(feature["differences"], twin["differences"]);
        assert_eq!((&feature["source"], &feature["target"]), (&twin["target"], &twin["source"]));
    }
}

#[apply(on_default_database)]
async fn both_environments_are_returned_with_version_and_epoch(database: Database) {
    let server = Server::start(&database).await;
    let before = compare_staging_with_production(&server.read_only()).await;
    let listed = server.read_only().get(&project("/environments")).await.items();
    for (side, place) in [("source", 1), ("target", 2)] {
        for name in ["key", "name", "production", "version"] {
            assert_eq!(before[side][name], listed[place][name], "{name} of the {side}");
        }
        assert_eq!(before[side]["epoch"].as_str().unwrap().len(), 16);
    }
    assert_ne!(before["source"]["epoch"], before["target"]["epoch"]);
    target(&server, "reviews", &targeting(&[split(1.0, 99.0)]), &targeting(&[split(2.0, 98.0)])).await;
    let after = compare_staging_with_production(&server.read_only()).await;
    for side in ["source", "target"] {
        let version = after[side]["version"].as_u64();
        assert_eq!(version, before[side]["version"].as_u64().map(|version| version + 1), "{side}");
        assert_eq!(row(&after, "reviews")[side]["version"].as_u64(), version, "{side}");
    }
}

#[apply(on_default_database)]
async fn a_comparison_is_a_consistent_snapshot(database: Database) {
    const COMPARISONS: usize = 60;
    let server = Server::start(&database).await;
    let (administrator, reader) = (server.administrator(), server.read_only());
    let first = compare_staging_with_production(&reader).await["source"]["version"].as_u64().unwrap();
    // Each change of the lifecycle is one transaction and increases the versions of all environments.
    let statuses = ["Draft", "Active"];
    let (changes, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let change = async {
        while !over.load(Relaxed) {
            let lifecycle = statuses[changes.load(Relaxed) % 2];
            administrator.patch(&features("/reviews"), &json!({ "lifecycle": lifecycle })).await.ok(200);
            changes.fetch_add(1, Relaxed);
        }
    };
    let compare = async {
        let mut seen = Vec::new();
        while seen.len() < COMPARISONS || changes.load(Relaxed) < 2 {
            seen.push(compare_staging_with_production(&reader).await);
        }
        over.store(true, Relaxed);
        seen
    };
    let ((), seen) = tokio::join!(change, compare);
    for comparison in seen {
        let changes = comparison["source"]["version"].as_u64().unwrap() - first;
        let expected = if changes % 2 == 1 { "Draft" } else { "Active" };
        assert_eq!(row(&comparison, "reviews")["lifecycle"], expected, "after {changes} changes");
    }
}

#[apply(on_default_database)]
async fn a_comparison_shows_changes_made_after_the_previous_one(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, reader) = (server.administrator(), server.read_only());
    let both = |comparison: &Value| {
        ["source", "target"].map(|side| row(comparison, "reviews")[side]["rules"].as_array().unwrap().len())
    };
    target(&server, "reviews", &targeting(&[everyone("on")]), &targeting(&[])).await;
    assert_eq!(both(&compare_staging_with_production(&reader).await), [1, 0]);
    let two = targeting(&[split(50.0, 50.0), everyone("on")]);
    administrator.put(&targeting_of("reviews", "production"), &two).await.ok(200);
    assert_eq!(both(&compare_staging_with_production(&reader).await), [1, 2]);
    administrator.put(&targeting_of("reviews", "staging"), &two).await.ok(200);
    let again = compare_staging_with_production(&reader).await;
    assert_eq!(both(&again), [2, 2]);
    let alone = reader.get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(row(&again, "reviews")["source"]["rules"], alone["rules"]);
    // Several times, in both directions.
    let swapped = reader.get(&path("production", "staging")).await.ok(200);
    assert_eq!(both(&swapped), [2, 2]);
    administrator.put(&targeting_of("reviews", "staging"), &targeting(&[])).await.ok(200);
    assert_eq!(both(&compare_staging_with_production(&reader).await), [0, 2]);

    let created = administrator.post(&features(""), &json!({ "key": "late", "name": "Late" })).await.ok(201);
    assert_eq!(row(&compare_staging_with_production(&reader).await, "late")["name"], created["name"]);
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    let without = compare_staging_with_production(&reader).await;
    assert!(!without["features"].as_array().unwrap().iter().any(|row| row["key"] == "reviews"));
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Active" })).await.ok(200);
    assert_eq!(both(&compare_staging_with_production(&reader).await), [0, 2]);
}

#[apply(on_default_database)]
async fn an_environment_without_any_targeting_can_be_compared_repeatedly(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, reader) = (server.administrator(), server.read_only());
    administrator.post(&project("/environments"), &json!({ "key": "new", "name": "New" })).await.ok(201);
    for _ in 0..2 {
        let comparison = reader.get(&path("new", "production")).await.ok(200);
        let shown = &row(&comparison, "new-checkout")["source"];
        assert_eq!(*shown, json!({ "enabled": false, "offVariantKey": "off", "rules": [], "version": 0 }));
    }
    administrator.patch(&targeting_of("new-checkout", "new"), &json!({ "enabled": true })).await.ok(200);
    let comparison = reader.get(&path("new", "production")).await.ok(200);
    assert_eq!(row(&comparison, "new-checkout")["source"]["enabled"], true);
    assert_eq!(row(&comparison, "reviews")["source"]["version"], 0);
}

#[apply(on_default_database)]
async fn an_unknown_project_or_environment_is_not_found(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    for (source, target) in [("nowhere", "production"), ("staging", "nowhere")] {
        let problem = reader.get(&path(source, target)).await.problem(404, "not-found");
        assert!(problem["detail"].as_str().unwrap().contains("environment 'nowhere'"), "{problem}");
    }
    let elsewhere = "/api/v1/projects/nothing/environments/compare?source=staging&target=production";
    reader.get(elsewhere).await.problem(404, "not-found");
    server.outsider().await.get(&path("staging", "production")).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn two_different_environments_are_required(database: Database) {
    let server = Server::start(&database).await;
    let ask = async |query: &str| -> ApiResponse { server.read_only().get(&environment("compare", query)).await };
    assert_eq!(ask("").await.pointers(), ["/source", "/target"]);
    assert_eq!(ask("?source=staging").await.pointers(), ["/target"]);
    assert_eq!(ask("?target=staging&source=").await.pointers(), ["/source"]);
    assert_eq!(ask("?source=%20&target=%09").await.pointers(), ["/source", "/target"]);
    assert_eq!(ask("?source=staging&target=staging").await.pointers(), ["/target"]);
    assert_eq!(ask("?source=nowhere&target=nowhere").await.pointers(), ["/target"]);
    ask("?source=staging&source=production&target=development").await.problem(400, "invalid-query");
}

#[apply(on_default_database)]
async fn compare_and_copy_are_not_valid_environment_keys(database: Database) {
    let server = Server::start(&database).await;
    for key in ["compare", "copy"] {
        let new = json!({ "key": key, "name": "Odd" });
        assert_eq!(server.administrator().post(&project("/environments"), &new).await.pointers(), ["/key"]);
    }
}

#[apply(on_postgres)]
async fn a_comparison_queries_each_table_once_regardless_of_the_number_of_features(database: Database) {
    const MORE: usize = 60;
    let proxy = Proxy::to(database.url()).await;
    let server = Server::start_on_url(&database, proxy.url(), flagservice_server::http::Settings::default()).await;
    let administrator = server.administrator();
    for number in 0..MORE {
        let new = json!({ "key": format!("more-{number}"), "name": "One more" });
        administrator.post(&features(""), &new).await.ok(201);
    }
    let before = proxy.queries();
    let comparison = compare_staging_with_production(&server.read_only()).await;
    let queries = proxy.queries() - before;
    assert_eq!(comparison["features"].as_array().unwrap().len(), 12 + MORE);
    // The six tables, the token, and occasional queries of the node itself.
    assert!((7..20).contains(&queries), "{queries} queries");
}
