//! The anonymous id in a page: where it is kept, and when the cookie is set.

use std::cell::RefCell;

use flagservice_core::AnonymousId;
use flagservice_core::anonymous_id::STORAGE_NAME;

use super::cookie;
use super::random::random_bytes;
use super::storage::Storage;

thread_local! {
    /// The id in use where local storage keeps none. One for the page, so that its clients agree.
    static OF_PAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The id as stored in local storage, else as the page or the cookie has it, else a new one, which then is stored.
pub fn stored(storage: &Storage, use_cookie: bool) -> String {
    let mut id = storage.get(STORAGE_NAME).unwrap_or_default();
    if AnonymousId::is_intact(&id) {
        return id;
    }
    id = OF_PAGE.with_borrow(String::clone);
    if id.is_empty() && use_cookie {
        id = cookie::read();
    }
    if AnonymousId::is_intact(&id) {
        keep(storage, &id);
        return id;
    }
    reset(storage)
}

/// A new id in the place of the stored one.
pub fn reset(storage: &Storage) -> String {
    let id = String::from(AnonymousId::from_random(random_bytes()));
    keep(storage, &id);
    id
}

fn keep(storage: &Storage, id: &str) {
    storage.set(STORAGE_NAME, id);
    OF_PAGE.set(id.to_owned());
}
