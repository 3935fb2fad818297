//! The cache entries of a client in local storage, read and written independently of the client.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod page;

use gloo_storage::{LocalStorage, Storage};
use page::{Page, UNDEFINED, key};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn entries() -> Vec<(String, Value)> {
    let all = LocalStorage::get_all::<Value>().unwrap();
    let entries = all.as_object().unwrap().iter();
    entries
        .filter(|(key, _)| key.starts_with("flagservice:v1:"))
        .map(|(key, entry)| (key.clone(), entry.clone()))
        .collect()
}

#[wasm_bindgen_test]
async fn loaded_features_are_stored() {
    LocalStorage::clear();
    let page = Page::responding(r#"{"a":"on","b":"off"}"#);
    page.load("alice", UNDEFINED).await;
    let entry: Value = LocalStorage::get(key("js-1", "alice")).unwrap();
    assert_eq!(entry["features"], json!({"a": "on", "b": "off"}));
}

#[wasm_bindgen_test]
fn cached_features_are_current_and_emit_loaded_from_cache() {
    let page = Page::without_response();
    page.set_user("alice", &Value::Null, &json!({"a": "on"}));
    assert_eq!(page.value("a"), "on");
    page.client.caller_settled();
    assert_eq!(page.event_names(), ["EVALUATION", "LOADED_FROM_CACHE"]);
}

#[wasm_bindgen_test]
async fn a_damaged_entry_is_replaced() {
    for damaged in [json!("{"), json!(null), json!([]), json!({"features": ["a"]}), json!({"at": 1, "features": "on"})]
    {
        LocalStorage::clear();
        LocalStorage::set(key("js-1", "alice"), damaged).unwrap();
        Page::responding(r#"{"a":"on"}"#).load("alice", UNDEFINED).await;
        let entry: Value = LocalStorage::get(key("js-1", "alice")).unwrap();
        assert_eq!(entry["features"], json!({"a": "on"}));
    }
}

#[wasm_bindgen_test]
async fn at_most_five_users_of_a_client_key_are_kept_and_the_oldest_is_evicted_first() {
    LocalStorage::clear();
    for (age, id) in ["u3", "u1", "u5", "u2", "u4"].iter().enumerate() {
        LocalStorage::set(key("js-1", id), json!({"at": 1_000 + age, "features": {}})).unwrap();
    }
    LocalStorage::set(key("js-2", "other key"), json!({"at": 1, "features": {}})).unwrap();
    LocalStorage::set("the page's own", "value").unwrap();
    Page::responding(r#"{"a":"on"}"#).load("new", UNDEFINED).await;
    let mut names: Vec<String> = entries().into_iter().map(|(key, _)| key).collect();
    let mut expected: Vec<String> = ["u1", "u5", "u2", "u4", "new"].map(|id| key("js-1", id)).to_vec();
    expected.push(key("js-2", "other key"));
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
    assert_eq!(LocalStorage::get::<String>("the page's own").unwrap(), "value");
}

#[wasm_bindgen_test]
async fn user_ids_and_attributes_are_never_stored_as_plain_text() {
    LocalStorage::clear();
    Page::responding(r#"{"a":"on"}"#).load("mark-id", r#"{"mail":"mark-attribute"}"#.into()).await;
    let all = format!("{:?}", entries());
    assert!(entries().len() == 1 && !all.contains("mark"), "{all}");
}
