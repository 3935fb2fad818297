//! A new environment that is production or requires approval serves no feature without `off` until somebody with the right has targeted
//! it there.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approve, pending, set_lifecycle};
use crate::fixture::{Browser, Caller, Server, environment, features, on_default_database, on_each_database};
use crate::fixture::{at, project, targeting_of};

/// Two features, one without `off`, that editors may create: no environment of the project is production or requires approval.
async fn create_features(server: &Server) {
    for place in ["development", "staging", "production"] {
        let open = json!({ "production": false, "approvalRequired": false });
        server.administrator().patch(&environment(place, ""), &open).await.ok(200);
    }
    for (key, variants) in [("paint", ["red", "green"]), ("calm", ["red", "off"])] {
        let new = json!({ "key": key, "name": key, "variants": variants });
        server.editor().post(&features(""), &new).await.ok(201);
    }
}

/// Creates an environment, and returns a client of it.
async fn create_environment(server: &Server, key: &str, gates: &Value) -> Browser {
    let mut new = json!({ "key": key, "name": key });
    new.as_object_mut().unwrap().extend(gates.as_object().unwrap().clone());
    server.administrator().post(&project("/environments"), &new).await.ok(201);
    let client_key = json!({ "name": "Web" });
    let created = server.administrator().post(&environment(key, "/client-keys"), &client_key).await.ok(201);
    server.browser_with(created["key"].as_str().unwrap())
}

/// What the environment serves of `paint`, and of `calm`.
async fn served(browser: &Browser) -> [Option<String>; 2] {
    let loaded = browser.load_id("alice").await;
    ["paint", "calm"].map(|key| loaded.features.get(key).cloned())
}

fn variants(paint: Option<&str>) -> [Option<String>; 2] {
    [paint.map(str::to_owned), Some("off".to_owned())]
}

/// What REST says of it: of the targeting, and in the list of features.
async fn summaries(caller: &Caller, place: &str) -> [Value; 2] {
    let targeting = caller.get(&targeting_of("paint", place)).await.ok(200);
    let listed = caller.get(&features("?environments=true&search=paint")).await.items();
    let states = listed[0]["environments"].as_array().unwrap();
    let state = states.iter().find(|state| state["environmentKey"] == place).unwrap();
    [&targeting, state].map(|shown| shown["served"]["summary"].clone())
}

#[apply(on_each_database)]
async fn a_new_production_environment_serves_no_feature_without_off_until_a_production_editor_targets_it(
    database: Database,
) {
    let server = Server::start(&database).await;
    create_features(&server).await;
    let live = create_environment(&server, "live", &json!({ "production": true })).await;
    assert_eq!(served(&live).await, variants(None));
    assert_eq!(summaries(&server.read_only(), "live").await, ["not served", "not served"]);

    // Nothing else that an editor may do has it served.
    let more = json!({ "variants": ["red", "green", "off"] });
    server.editor().patch(&features("/paint"), &more).await.ok(200);
    let on = json!({ "enabled": true });
    server.editor().patch(&targeting_of("paint", "live"), &on).await.problem(403, "forbidden");
    let production_editor = server.production_editor();
    set_lifecycle(&production_editor, "paint", "Archived").await.ok(200);
    set_lifecycle(&production_editor, "paint", "Active").await.ok(200);
    assert_eq!(served(&live).await, variants(None));

    let mut stream = live.open(&live.load_id("alice").await).await;
    production_editor.patch(&targeting_of("paint", "live"), &on).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "paint": "green" }));
    assert_eq!(summaries(&server.read_only(), "live").await, ["serves green", "serves green"]);
}

#[apply(on_default_database)]
async fn a_new_environment_that_requires_approval_serves_no_feature_without_off_until_a_change_is_approved(
    database: Database,
) {
    let server = Server::start(&database).await;
    create_features(&server).await;
    let guarded = create_environment(&server, "guarded", &json!({ "approvalRequired": true })).await;
    assert_eq!(served(&guarded).await, variants(None));
    let red = json!({ "offVariantKey": "red" });
    let approval = pending(&server.editor().patch(&targeting_of("paint", "guarded"), &red).await);
    assert_eq!(served(&guarded).await, variants(None));
    approve(&server.administrator(), &approval).await.ok(200);
    assert_eq!(served(&guarded).await, variants(Some("red")));
}

/// The targeting of `paint` in a new environment, as it is.
fn as_it_is() -> Value {
    json!({ "enabled": false, "offVariantKey": "green", "rules": [] })
}

#[apply(on_each_database)]
async fn a_production_editor_accepts_a_targeting_that_is_not_served_yet_as_it_is(database: Database) {
    let server = Server::start(&database).await;
    create_features(&server).await;
    let live = create_environment(&server, "live", &json!({ "production": true })).await;
    let (path, production_editor) = (targeting_of("paint", "live"), server.production_editor());
    server.editor().put(&path, &as_it_is()).await.problem(403, "forbidden");
    // Switching off decides on no variant.
    production_editor.patch(&path, &json!({ "enabled": false })).await.ok(200);
    assert_eq!(served(&live).await, variants(None));

    let mut stream = live.open(&live.load_id("alice").await).await;
    let seen = production_editor.get(&path).await.etag();
    let accepted = production_editor.put(&path, &as_it_is()).await;
    assert_eq!(accepted.ok(200)["served"]["summary"], "serves green");
    assert_ne!(accepted.etag(), seen);
    assert_eq!(stream.patch().await, json!({ "paint": "green" }));
    let last = production_editor.get("/api/v1/audit-log?limit=1").await.items();
    assert_eq!(last[0]["action"], "targeting.update");
    // Once it is served, the same again is no change.
    assert_eq!(production_editor.put(&path, &as_it_is()).await.etag(), accepted.etag());
}

#[apply(on_each_database)]
async fn accepting_a_targeting_as_it_is_needs_the_approval_that_an_edit_needs(database: Database) {
    let server = Server::start(&database).await;
    create_features(&server).await;
    let guarded = create_environment(&server, "guarded", &json!({ "approvalRequired": true })).await;
    let path = targeting_of("paint", "guarded");
    let requested = server.editor().patch(&path, &json!({ "offVariantKey": "green" })).await;
    assert_eq!(requested.ok(202)["before"], requested.ok(202)["after"]);
    assert_eq!(served(&guarded).await, variants(None));
    server.editor().patch(&path, &json!({ "enabled": true })).await.problem(409, "pending-approval");
    approve(&server.administrator(), &pending(&requested)).await.ok(200);
    assert_eq!(served(&guarded).await, variants(Some("green")));
}

#[apply(on_default_database)]
async fn a_targeting_can_be_accepted_as_it_is_at_a_time_to_come(database: Database) {
    let server = Server::start(&database).await;
    create_features(&server).await;
    let live = create_environment(&server, "live", &json!({ "production": true })).await;
    let mut later = as_it_is();
    later["scheduledFor"] = json!("2026-11-21T11:00:00Z");
    server.production_editor().put(&targeting_of("paint", "live"), &later).await.ok(202);
    assert_eq!(served(&live).await, variants(None));
    let mut stream = live.open(&live.load_id("alice").await).await;
    server.clock.set(at("2026-11-21T11:00:00Z"));
    assert_eq!(stream.patch().await, json!({ "paint": "green" }));
}

#[apply(on_default_database)]
async fn an_environment_that_gets_its_gates_later_serves_what_it_served(database: Database) {
    let server = Server::start(&database).await;
    create_features(&server).await;
    let lab = create_environment(&server, "lab", &json!({})).await;
    assert_eq!(served(&lab).await, variants(Some("green")));
    let gates = json!({ "production": true, "approvalRequired": true });
    server.administrator().patch(&environment("lab", ""), &gates).await.ok(200);
    assert_eq!(served(&lab).await, variants(Some("green")));
}
