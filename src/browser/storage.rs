//! Local storage, and memory in its place where it is blocked, full or absent.

use std::cell::RefCell;

use crate::cache;

thread_local! {
    /// What local storage did not take. One for the page, so that its clients agree.
    static MEMORY: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Texts by key, which outlive the page if the browser lets them.
#[derive(Debug)]
pub struct Storage(Option<web_sys::Storage>);

impl Storage {
    /// The page's local storage.
    pub fn of_page() -> Self {
        Self(web_sys::window().and_then(|window| window.local_storage().ok().flatten()))
    }

    /// Memory alone.
    pub fn in_memory() -> Self {
        Self(None)
    }

    /// The text under a key.
    pub fn get(&self, key: &str) -> Option<String> {
        let in_memory = MEMORY.with_borrow(|memory| {
            memory.iter().find(|(other, _)| other == key).map(|(_, text)| text.clone())
        });
        in_memory.or_else(|| self.0.as_ref()?.get_item(key).ok()?)
    }

    /// Puts a text under a key.
    pub fn set(&self, key: &str, text: &str) {
        forget(key);
        let taken = self.0.as_ref().is_some_and(|storage| storage.set_item(key, text).is_ok());
        if !taken {
            MEMORY.with_borrow_mut(|memory| memory.push((key.to_owned(), text.to_owned())));
        }
    }

    /// Puts a user's cache entry, and takes the oldest users of the client key out until few enough are left.
    pub fn set_entry(&self, prefix: &str, key: &str, entry: &str) {
        let mut others: Vec<(u64, String)> = Vec::new();
        for other in self.keys() {
            if other != key && cache::is_entry(prefix, &other) {
                let written_at = self.get(&other).map_or(0, |entry| cache::written_at(&entry));
                others.push((written_at, other));
            }
        }
        while others.len() >= cache::MOST_USERS
            && let Some((place, _)) = others.iter().enumerate().min_by_key(|(_, (written_at, _))| *written_at)
        {
            let (_, oldest) = others.swap_remove(place);
            self.remove(&oldest);
        }
        self.set(key, entry);
    }

    fn remove(&self, key: &str) {
        forget(key);
        if let Some(storage) = &self.0 {
            // A storage that refuses this keeps one entry too many, and nothing else is wrong.
            let _ = storage.remove_item(key);
        }
    }

    fn keys(&self) -> Vec<String> {
        let mut keys = MEMORY.with_borrow(|memory| memory.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>());
        if let Some(storage) = &self.0 {
            for place in 0..storage.length().unwrap_or(0) {
                keys.extend(storage.key(place).ok().flatten());
            }
        }
        keys
    }
}

fn forget(key: &str) {
    MEMORY.with_borrow_mut(|memory| memory.retain(|(other, _)| other != key));
}
