//! Writes cache entries to local storage.

use super::shell::Shell;
use super::text::text;
use crate::cache;

/// Writes a user's cache entry, after evicting the oldest entries of the client key that exceed the limit.
pub(super) fn set_entry(shell: &Shell, name: &str, value: &str) {
    let keys = shell.storage_keys();
    for _ in 0..cache::MAX_USERS {
        let (mut others, mut oldest) = (0, (String::new(), String::new()));
        for index in 0..keys.length() {
            let key = text(&keys.get(index));
            if key != name
                && cache::is_sibling(name, &key)
                && let Some(text) = shell.get_item(&key).as_string()
            {
                // The time of writing comes first in the text.
                if others == 0 || text < oldest.0 {
                    oldest = (text, key);
                }
                others += 1;
            }
        }
        if others < cache::MAX_USERS {
            break;
        }
        shell.set_item(&oldest.1, "");
    }
    shell.set_item(name, value);
}
