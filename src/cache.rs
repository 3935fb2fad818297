//! What stands in local storage for each user: under which key, in which form, and for how many users.

use flagservice_core::cut::cut;
use flagservice_core::digits::{push_hex, push_number};

use crate::json::push_variants;
use crate::user::User;
use crate::variants::Variants;

/// So many users of one client key are kept.
pub const MOST_USERS: usize = 5;

const PREFIX: &str = "flagservice:v1:";
const STAMP: &str = "{\"at\":";
const HASH_DIGITS: usize = 16;

/// What the storage keys of all users of a client key begin with.
pub fn prefix(api_key: &str) -> String {
    [PREFIX, api_key, ":"].concat()
}

/// The storage key of one user: nothing of the user is in it in clear.
pub fn key(prefix: &str, user: &User) -> String {
    let mut key = prefix.to_owned();
    for byte in hash(user.id().bytes().chain([0]).chain(user.attributes().bytes())).to_be_bytes() {
        push_hex(&mut key, byte);
    }
    key
}

/// Whether a storage key is that of a user of this prefix.
pub fn is_entry(prefix: &str, key: &str) -> bool {
    key.strip_prefix(prefix)
        .is_some_and(|hash| hash.len() == HASH_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The text of an entry: JSON, and the time of writing (milliseconds since 1970) first, where it is found without parsing.
pub fn entry(now: f64, variants: &Variants) -> String {
    let mut text = String::from(STAMP);
    push_number(&mut text, now as u64);
    text.push_str(",\"features\":");
    push_variants(&mut text, variants, usize::MAX);
    text.push_str("}");
    text
}

/// When an entry was written; 0 for a damaged one, which so goes out first.
pub fn written_at(entry: &str) -> u64 {
    let Some(mut rest) = entry.strip_prefix(STAMP) else { return 0 };
    cut(&mut rest, b',').parse().unwrap_or(0)
}

/// 64-bit FNV-1a.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{entry, hash, is_entry, key, prefix, written_at};
    use crate::user::User;
    use crate::variants::Variants;

    #[test]
    fn a_key_names_client_key_and_hash_and_nothing_of_the_user() {
        let user = User::new("alice".into(), None);
        let key = key(&prefix("js-1"), &user);
        assert!(key.starts_with("flagservice:v1:js-1:"));
        assert!(!key.contains("alice"));
        assert!(is_entry("flagservice:v1:js-1:", &key));
        assert!(!is_entry("flagservice:v1:js:", &key), "the entry of another client key");
        assert_ne!(key, super::key(&prefix("js-1"), &User::new("alice".into(), Some("{}".into()))));
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        // Published test vectors of the function.
        assert_eq!(hash("".bytes()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a".bytes()), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar".bytes()), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn an_entry_tells_when_it_was_written() {
        let text = entry(1_732_190_000_123.5, &Variants::parse("a\0on"));
        assert_eq!(text, r#"{"at":1732190000123,"features":{"a":"on"}}"#);
        assert_eq!(written_at(&text), 1_732_190_000_123);
        assert_eq!(written_at("damaged"), 0);
        assert_eq!(written_at(r#"{"at":x,"features":{}}"#), 0);
    }
}
