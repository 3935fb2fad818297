//! Writes cache entries to local storage. Where storage is blocked, full or missing, nothing is stored and all else works.

use js_sys::Object;
use wasm_bindgen::JsCast;

use super::{json, page};
use crate::cache;

/// The page's local storage, if there is one.
#[derive(Debug)]
pub struct Storage(Option<web_sys::Storage>);

impl Storage {
    /// The page's local storage.
    pub fn local() -> Self {
        let storage = json::get(&page::window(), "localStorage");
        Self(storage.is_object().then(|| storage.unchecked_into()))
    }

    /// Writes a user's cache entry, after evicting the oldest entries of the client key that exceed the limit.
    pub fn set_entry(&self, name: &str, text: &str) {
        let Some(storage) = &self.0 else { return };
        while let Some(oldest) = entry_to_evict(storage, name) {
            if storage.remove_item(&oldest).is_err() {
                break;
            }
        }
        // If storage is full, the old entry stays.
        let _ = storage.set_item(name, text);
    }
}

/// The oldest other entry of the same client key, if there is no room for another.
fn entry_to_evict(storage: &web_sys::Storage, name: &str) -> Option<String> {
    let mut others = 0;
    let mut oldest = (u64::MAX, None);
    let names = Object::keys(storage);
    for index in 0..names.length() {
        if let Some(other) = names.get(index).as_string()
            && other != name
            && cache::is_sibling(name, &other)
        {
            others += 1;
            let text = storage.get_item(&other).ok().flatten();
            let written_at = text.map_or(0, |text| cache::written_at(&text));
            if written_at < oldest.0 {
                oldest = (written_at, Some(other));
            }
        }
    }
    if others < cache::MAX_USERS { None } else { oldest.1 }
}
