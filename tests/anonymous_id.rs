//! The anonymous id in local storage and in the cookie.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where one fails")]

mod page;

use gloo_storage::{LocalStorage, Storage};
use page::{Page, UNDEFINED, clear, cookies};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const NAME: &str = "flagservice-anonymous-id";

fn stored() -> Option<String> {
    LocalStorage::raw().get_item(NAME).unwrap()
}

#[wasm_bindgen_test]
fn a_user_without_an_id_is_anonymous_and_linked_by_a_cookie() {
    clear();
    let page = Page::unanswered();
    let id = page.client.enter(UNDEFINED, r#"{"plan":"pro"}"#.into()).as_string().unwrap();
    page.client.returned();
    assert!(id.strip_prefix("anonymous:").unwrap().len() == 32);
    assert_eq!(stored().as_deref(), Some(id.as_str()));
    assert_eq!(cookies(), format!("{NAME}={id}"));
    assert_eq!(page.client.anonymous_id(false), id.as_str());
    let next = Page::unanswered();
    assert_eq!(next.client.enter(UNDEFINED, UNDEFINED), id.as_str(), "on the next visit too");
}

#[wasm_bindgen_test]
fn no_cookie_is_set_for_a_named_user_or_where_cookies_are_not_used() {
    clear();
    Page::unanswered().entered("alice".into());
    Page::without_cookies().entered(UNDEFINED);
    assert_eq!(cookies(), "");
    assert!(stored().is_some());
}

#[wasm_bindgen_test]
fn a_damaged_stored_id_is_replaced() {
    for damaged in ["", "anonymous:", "anonymous:0123", "alice", "\"anonymous:0123456789abcdef0123456789abcdef\""] {
        clear();
        LocalStorage::raw().set_item(NAME, damaged).unwrap();
        let page = Page::without_cookies();
        let id = page.client.enter(UNDEFINED, UNDEFINED).as_string().unwrap();
        assert_ne!(id, damaged);
        assert_eq!(stored(), Some(id));
    }
}

#[wasm_bindgen_test]
fn a_new_anonymous_id_does_not_change_the_user() {
    clear();
    let page = Page::unanswered();
    let first = page.entered(UNDEFINED);
    let second = page.client.anonymous_id(true).as_string().unwrap();
    assert_ne!(first, second);
    assert_eq!(stored(), Some(second.clone()));
    assert_eq!(cookies(), format!("{NAME}={second}"));
    assert_eq!(page.client.enter(UNDEFINED, UNDEFINED), second.as_str(), "with updateUser it does");
}
