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
    let intact = |id: &String| AnonymousId::parse(id).is_some();
    storage
        .get(STORAGE_NAME)
        .filter(intact)
        .or_else(|| Some(OF_PAGE.with_borrow(String::clone)).filter(intact))
        .or_else(|| if use_cookie { cookie::read().filter(intact) } else { None })
        .map_or_else(|| reset(storage), |id| keep(storage, id))
}

/// A new id in the place of the stored one.
pub fn reset(storage: &Storage) -> String {
    keep(storage, AnonymousId::from_random(random_bytes()).as_str().to_owned())
}

fn keep(storage: &Storage, id: String) -> String {
    storage.set(STORAGE_NAME, &id);
    OF_PAGE.set(id.clone());
    id
}
