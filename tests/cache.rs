//! What a client keeps in local storage, read and written by a second hand.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where one fails")]

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
async fn what_was_loaded_is_stored() {
    LocalStorage::clear();
    let page = Page::answering(r#"{"a":"on","b":"off"}"#);
    page.enter("alice", UNDEFINED).await;
    let entry: Value = LocalStorage::get(key("js-1", "alice")).unwrap();
    assert_eq!(entry["features"], json!({"a": "on", "b": "off"}));
}

#[wasm_bindgen_test]
fn what_the_cache_knows_is_in_force_and_told() {
    let page = Page::unanswered();
    page.client.enter("alice".into(), UNDEFINED, key("js-1", "alice").into(), UNDEFINED, "a\0on".into());
    assert_eq!(page.client.value("a".into()), "on");
    page.client.returned();
    assert_eq!(page.told(), ["LOADED_FROM_CACHE"]);
}

#[wasm_bindgen_test]
async fn a_damaged_entry_is_replaced() {
    for damaged in [json!("{"), json!(null), json!([]), json!({"features": ["a"]}), json!({"at": 1, "features": "on"})]
    {
        LocalStorage::clear();
        LocalStorage::set(key("js-1", "alice"), damaged).unwrap();
        Page::answering(r#"{"a":"on"}"#).enter("alice", UNDEFINED).await;
        let entry: Value = LocalStorage::get(key("js-1", "alice")).unwrap();
        assert_eq!(entry["features"], json!({"a": "on"}));
    }
}

#[wasm_bindgen_test]
async fn at_most_five_users_of_a_client_key_are_kept_and_the_oldest_goes_first() {
    LocalStorage::clear();
    for (age, id) in ["u3", "u1", "u5", "u2", "u4"].iter().enumerate() {
        LocalStorage::set(key("js-1", id), json!({"at": 1_000 + age, "features": {}})).unwrap();
    }
    LocalStorage::set(key("js-2", "other key"), json!({"at": 1, "features": {}})).unwrap();
    LocalStorage::set("the page's own", "value").unwrap();
    Page::answering(r#"{"a":"on"}"#).enter("new", UNDEFINED).await;
    let mut kept: Vec<String> = entries().into_iter().map(|(key, _)| key).collect();
    let mut expected: Vec<String> = ["u1", "u5", "u2", "u4", "new"].map(|id| key("js-1", id)).to_vec();
    expected.push(key("js-2", "other key"));
    kept.sort();
    expected.sort();
    assert_eq!(kept, expected);
    assert_eq!(LocalStorage::get::<String>("the page's own").unwrap(), "value");
}

#[wasm_bindgen_test]
async fn nothing_of_the_user_is_kept_in_clear() {
    LocalStorage::clear();
    Page::answering(r#"{"a":"on"}"#).enter("mark-id", r#"{"mail":"mark-attribute"}"#.into()).await;
    let all = format!("{:?}", entries());
    assert!(entries().len() == 1 && !all.contains("mark"), "{all}");
}
