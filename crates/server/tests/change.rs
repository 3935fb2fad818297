//! Changes: no update is lost, each version is one change, and a write is in effect when the response arrives.

use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::store::changes::outbox;

use crate::fixture::{Caller, Server, everyone, on_each_database, project, targeting_of};

const WRITERS: usize = 50;

/// How many write concurrently: one of them succeeds, the others try again.
const AT_ONCE: usize = 12;

fn path() -> String {
    targeting_of("new-checkout", "staging")
}

/// The id and version of staging.
async fn staging(server: &Server) -> (EnvironmentId, u64) {
    let list = server.read_only().get(&project("/environments")).await.ok(200);
    let staging = &list["items"][1];
    (EnvironmentId::from(staging["id"].as_str().unwrap().to_owned()), staging["version"].as_u64().unwrap())
}

/// The later versions in the outbox.
async fn published(server: &Server, environment: &EnvironmentId, after: u64) -> Vec<u64> {
    let mut connection = server.app.store.read().await.unwrap();
    let entries = outbox::after(&mut connection, environment, after).await.unwrap();
    entries.iter().map(|entry| entry.version).collect()
}

/// Adds a rule to the existing ones, and retries until it succeeds.
async fn add_rule(caller: &Caller, name: String) {
    loop {
        let seen = caller.get(&path()).await;
        let mut rules = seen.ok(200)["rules"].as_array().unwrap().clone();
        let mut rule = everyone("on");
        rule["name"] = json!(name);
        rules.push(rule);
        let write = caller.request(Method::PATCH, &path()).header("if-match", seen.etag());
        let response = caller.send(write.json(&json!({ "rules": rules }))).await;
        if response.status != 412 {
            response.ok(200);
            return;
        }
    }
}

#[apply(on_each_database)]
async fn fifty_concurrent_writers_of_one_targeting_lose_no_update(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let editor = server.editor();
    let (environment, version) = staging(&server).await;
    editor.patch(&path(), &json!({ "rules": [] })).await.ok(200);
    let mut names: Vec<_> = (0..WRITERS).map(|index| format!("writer {index:02}")).collect();
    let writers = stream::iter(names.iter().map(|name| add_rule(&editor, name.clone())));
    writers.buffer_unordered(AT_ONCE).collect::<()>().await;

    let stored = editor.get(&path()).await.ok(200);
    let name = |rule: &Value| rule["name"].as_str().unwrap().to_owned();
    let mut found: Vec<_> = stored["rules"].as_array().unwrap().iter().map(name).collect();
    found.sort_unstable();
    names.sort_unstable();
    assert_eq!(found, names);
    let last = version + 1 + u64::try_from(WRITERS).unwrap();
    assert_eq!(stored["version"], json!(last));
    assert_eq!(published(&server, &environment, version).await, (version + 1..=last).collect::<Vec<_>>());
}

#[apply(on_each_database)]
async fn of_writers_with_the_same_etag_one_succeeds(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let editor = server.editor();
    let seen = editor.get(&path()).await.etag();
    let write = |index: usize| {
        let mut rule = everyone("on");
        rule["name"] = json!(format!("writer {index}"));
        let request = editor.request(Method::PATCH, &path()).header("if-match", &seen);
        editor.send(request.json(&json!({ "rules": [rule] })))
    };
    let responses = join_all((0..10).map(write)).await;
    assert_eq!(responses.iter().filter(|response| response.status == 200).count(), 1);
    for refused in responses.iter().filter(|response| response.status != 200) {
        refused.problem(412, "stale");
    }
}

#[apply(on_each_database)]
async fn two_concurrent_writers_of_different_fields_both_succeed(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let (path, editor) = (path(), server.editor());
    for round in 0..20 {
        let (enabled, variant) = (round % 2 == 1, if round % 2 == 0 { "on" } else { "off" });
        let (enable, serve) = (json!({ "enabled": enabled }), json!({ "offVariantKey": variant }));
        let (first, second) = tokio::join!(editor.patch(&path, &enable), editor.patch(&path, &serve));
        first.ok(200);
        second.ok(200);
        let stored = editor.get(&path).await.ok(200);
        assert_eq!((&stored["enabled"], &stored["offVariantKey"]), (&json!(enabled), &json!(variant)), "{round}");
    }
}

#[apply(on_each_database)]
async fn writers_of_different_features_share_the_versions_of_the_environment(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let editor = server.editor();
    let (environment, version) = staging(&server).await;
    let features = ["new-checkout", "reviews", "gift-cards", "sticky-basket", "loyalty-points"];
    let browser = server.browser("staging");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    let toggle = async |feature: &str| {
        let path = targeting_of(feature, "staging");
        let enabled = editor.get(&path).await.ok(200)["enabled"].as_bool().unwrap();
        for round in 0..10 {
            editor.patch(&path, &json!({ "enabled": enabled == (round % 2 == 1) })).await.ok(200);
        }
    };
    join_all(features.map(toggle)).await;
    assert_eq!(published(&server, &environment, version).await, (version + 1..=version + 50).collect::<Vec<_>>());

    // An open stream gets increasing versions, and finally the current values.
    server.switch_search_suggestions("staging", false).await;
    let mut known = version;
    let last = loop {
        let event = stream.next_event().await;
        assert!(event.since().version > known, "{event:?} after {known}");
        known = event.since().version;
        if event.features()["search-suggestions"] == "off" {
            break event;
        }
    };
    assert_eq!(last.id, Some(browser.load_id("alice").await.since));
}

#[apply(on_each_database)]
async fn a_load_right_after_a_write_always_shows_the_write(database: Database) {
    let server = Server::start_with_all_connections(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    for round in 0..200 {
        let enabled = round % 2 == 1;
        let written = editor.patch(&path(), &json!({ "enabled": enabled })).await.ok(200);
        let loaded = browser.load_id("alice").await;
        assert_eq!(loaded.features["new-checkout"], if enabled { "on" } else { "off" }, "round {round}");
        assert_eq!(json!(loaded.known_version().version), written["version"], "round {round}");
    }
}
