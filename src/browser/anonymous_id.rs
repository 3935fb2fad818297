//! The anonymous id in a page: where it is kept, and when the cookie is set.

use flagservice_core::AnonymousId;
use flagservice_core::anonymous_id::STORAGE_NAME;

use super::cookie;
use super::random::random_bytes;
use super::storage::Storage;

/// The id as stored in local storage, else as the cookie has it, else a new one, which then is stored.
pub fn stored(storage: &Storage, use_cookie: bool) -> String {
    let stored = storage.get(STORAGE_NAME);
    if let Some(id) = stored.as_deref().and_then(AnonymousId::parse) {
        return id.as_str().to_owned();
    }
    let linked = if use_cookie { cookie::read() } else { None };
    keep(storage, linked.as_deref().and_then(AnonymousId::parse))
}

/// A new id in the place of the stored one.
pub fn reset(storage: &Storage) -> String {
    keep(storage, None)
}

/// Sets the cookie, for an id that is in use.
pub fn link(id: &str) {
    cookie::write(id);
}

fn keep(storage: &Storage, id: Option<AnonymousId>) -> String {
    let id = id.unwrap_or_else(|| AnonymousId::from_random(random_bytes()));
    storage.set(STORAGE_NAME, id.as_str());
    id.as_str().to_owned()
}
