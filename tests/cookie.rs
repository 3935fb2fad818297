//! The cookie of an earlier visit, in a page whose storage has lost the id. One test: only a new page has not met an id.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where one fails")]

mod page;

use gloo_storage::{LocalStorage, Storage};
use page::{Page, UNDEFINED, clear, run};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const NAME: &str = "flagservice-anonymous-id";
const ID: &str = "anonymous:0123456789abcdef0123456789abcdef";

#[wasm_bindgen_test]
fn the_cookie_gives_the_anonymous_id_back_to_a_storage_that_lost_it() {
    clear();
    run(&format!("document.cookie = 'other=1; Path=/'; document.cookie = '{NAME}={ID}; Path=/'"));
    let page = Page::unanswered();
    assert_eq!(page.client.enter(UNDEFINED, UNDEFINED), ID);
    assert_eq!(LocalStorage::raw().get_item(NAME).unwrap().as_deref(), Some(ID));
    run("document.cookie = 'other=; Path=/; Max-Age=0'");
}
