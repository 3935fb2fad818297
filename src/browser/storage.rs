//! Local storage, which may be blocked, full or absent: then nothing is kept, and nothing else is different.

use js_sys::Object;
use wasm_bindgen::JsCast;

use super::{json, page};
use crate::cache;

/// Texts by key, which outlive the page if the browser lets them.
#[derive(Debug)]
pub struct Storage(Option<web_sys::Storage>);

impl Storage {
    /// The page's local storage.
    pub fn of_page() -> Self {
        let storage = json::get(&page::window(), "localStorage");
        Self(storage.is_object().then(|| storage.unchecked_into()))
    }

    /// Keeps nothing.
    pub fn none() -> Self {
        Self(None)
    }

    /// The text under a key.
    pub fn get(&self, key: &str) -> Option<String> {
        self.0.as_ref()?.get_item(key).ok()?
    }

    /// Puts a text under a key.
    pub fn set(&self, key: &str, text: &str) {
        if let Some(storage) = &self.0 {
            // A full storage keeps what it had.
            let _ = storage.set_item(key, text);
        }
    }

    /// Puts a user's cache entry, and takes the oldest users of the client key out until few enough are left.
    pub fn set_entry(&self, prefix: &str, key: &str, entry: &str) {
        while let Some(oldest) = self.oldest_of_too_many(prefix, key) {
            if self.0.as_ref().is_none_or(|storage| storage.remove_item(&oldest).is_err()) {
                break;
            }
        }
        self.set(key, entry);
    }

    /// The oldest entry beside this one, when there are so many that another would be too many.
    fn oldest_of_too_many(&self, prefix: &str, key: &str) -> Option<String> {
        let storage = self.0.as_ref()?;
        let mut others = 0;
        let mut oldest = (u64::MAX, None);
        let keys = Object::keys(storage);
        for place in 0..keys.length() {
            if let Some(other) = keys.get(place).as_string()
                && other != key
                && cache::is_entry(prefix, &other)
            {
                others += 1;
                let written_at = self.get(&other).map_or(0, |entry| cache::written_at(&entry));
                if written_at < oldest.0 {
                    oldest = (written_at, Some(other));
                }
            }
        }
        if others < cache::MOST_USERS { None } else { oldest.1 }
    }
}
