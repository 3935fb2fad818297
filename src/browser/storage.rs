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

    /// Puts a user's cache entry, and takes the oldest users of the client key out until few enough are left.
    pub fn set_entry(&self, name: &str, text: &str) {
        let Some(storage) = &self.0 else { return };
        while let Some(oldest) = oldest_of_too_many(storage, name) {
            if storage.remove_item(&oldest).is_err() {
                break;
            }
        }
        // A full storage keeps what it had.
        let _ = storage.set_item(name, text);
    }
}

/// The oldest entry beside this one, when there are so many that another would be too many.
fn oldest_of_too_many(storage: &web_sys::Storage, name: &str) -> Option<String> {
    let mut others = 0;
    let mut oldest = (u64::MAX, None);
    let names = Object::keys(storage);
    for place in 0..names.length() {
        if let Some(other) = names.get(place).as_string()
            && other != name
            && cache::is_beside(name, &other)
        {
            others += 1;
            let text = storage.get_item(&other).ok().flatten();
            let written_at = text.map_or(0, |text| cache::written_at(&text));
            if written_at < oldest.0 {
                oldest = (written_at, Some(other));
            }
        }
    }
    if others < cache::MOST_USERS { None } else { oldest.1 }
}
