//! The exports of the core, called directly: `init`, `evaluate`, `on`, and the integrations.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod page;

use flagservice_client::{analytics_integration, exposure_integration};
use gloo_storage::{LocalStorage, Storage};
use page::{Options, Page, UNDEFINED, json_of, run};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const LOADED: [&str; 2] = ["INIT", "LOADED"];

/// A client that is offline, with these integrations.
fn offline(integrations: Vec<wasm_bindgen::JsValue>) -> Page {
    Page::with(Options { live: false, defaults: json!({"d": "def", "a": "def"}), integrations })
}

#[wasm_bindgen_test]
fn a_value_comes_from_bootstrap_else_cache_else_default_else_off() {
    let page = offline(Vec::new());
    page.set_user("alice", &json!({"a": "boot"}), &json!({"a": "cached", "c": "cached"}));
    let values = ["a", "c", "d", "x", "__proto__"].map(|key| page.value(key));
    assert_eq!(values, ["boot", "cached", "def", "off", "off"]);
}

#[wasm_bindgen_test]
async fn a_load_replaces_them_and_tells_its_listeners() {
    LocalStorage::clear();
    let page = Page::responding(r#"{"a":"on"}"#);
    page.load("alice", UNDEFINED).await;
    assert_eq!(page.events(), LOADED.map(|name| (name.to_owned(), json!({"a": "on"}))));
    assert_eq!(page.value("a"), "on");
    let stored: Value = LocalStorage::get(page::key("js-1", "alice")).unwrap();
    assert_eq!(stored["features"], json!({"a": "on"}));
}

#[wasm_bindgen_test]
fn evaluate_tells_its_listeners_before_it_returns() {
    let page = offline(Vec::new());
    page.set_user("alice", &Value::Null, &Value::Null);
    assert_eq!(page.value("d"), "def");
    let event = json!({"key": "d", "variant": "def", "value": "def", "user": {"id": "alice"}});
    assert_eq!(page.events(), [("EVALUATION".to_owned(), event)]);
}

#[wasm_bindgen_test]
fn a_listener_is_told_until_it_is_removed_and_one_that_throws_does_not_stop_the_others() {
    let page = offline(Vec::new());
    run("window.told = []");
    let (first, last) = (run("return () => told.push('first')"), run("return () => told.push('last')"));
    for listener in [first.clone(), run("return () => { throw new Error('on purpose') }"), last] {
        page.client.on("EVALUATION".into(), listener, UNDEFINED);
    }
    page.value("a");
    page.client.off("EVALUATION".into(), first);
    page.value("a");
    page.client.off("EVALUATION".into(), UNDEFINED);
    page.value("a");
    assert_eq!(json_of("return told"), json!(["first", "last", "last"]));
}

#[wasm_bindgen_test]
fn an_exposure_is_sent_once_for_each_user_flag_and_variant() {
    run("window.sent = []");
    let handler = run("return (...arguments) => { sent.push(arguments) }");
    let page = offline(vec![exposure_integration(handler, run("return { flags: ['a', 'd'] }"))]);
    for user in ["alice", "bob", "alice"] {
        page.set_user(user, &Value::Null, &Value::Null);
        for key in ["a", "a", "d", "x"] {
            page.value(key);
        }
    }
    let of_one_user = ["a", "d"].map(|key| json!([{"key": key, "variant": "def"}]));
    assert_eq!(json_of("return sent"), json!([of_one_user.clone(), of_one_user].concat()));
}

#[wasm_bindgen_test]
fn an_analytics_instance_tracks_and_identifies() {
    run("window.sent = []");
    let instance = run("return {
          track: (...arguments) => { sent.push(arguments) },
          identify: (identity) => { sent.push(identity.getUserProperties()) },
        }");
    let page = offline(vec![analytics_integration(instance, run("return { eventName: 'seen' }"))]);
    page.set_user("alice", &Value::Null, &Value::Null);
    page.value("a");
    page.value("a");
    let event = json!(["seen", {"flag_key": "a", "variant": "def"}]);
    assert_eq!(json_of("return sent"), json!([event, {"$set": {"flagservice_a": "def"}}]));
}

#[wasm_bindgen_test]
fn a_goal_that_is_not_settled_is_sent_again_when_the_page_is_closed() {
    run(
        "window.beacons = []; navigator.sendBeacon = (url, body) => { beacons.push([url, JSON.parse(body)]); return true; }",
    );
    let page = Page::without_response();
    page.set_user("alice", &json!({"a": "on"}), &Value::Null);
    page.client.caller_settled();
    page.client.goal("purchase".into(), "0".repeat(32).into());
    run("dispatchEvent(new Event('pagehide'))");
    let beacons = json_of("return beacons");
    assert_eq!(beacons[0][0], "http://127.0.0.1/client/v1/js-1/goals");
    let goal = &beacons[0][1]["goals"][0];
    assert_eq!(
        (&goal["key"], &goal["userId"], &goal["features"]),
        (&json!("purchase"), &json!("alice"), &json!({"a": "on"}))
    );
}
