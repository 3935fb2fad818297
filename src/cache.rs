//! The cache entry of each user in local storage: its format, and for how many users. The shell names and reads entries.

use flagservice_core::digits::push_number;

use crate::json::push_variants;
use crate::variants::Variants;

/// Entries kept for one client key, one for each user.
pub const MAX_USERS: usize = 5;

const TIME_PREFIX: &str = "{\"at\":";
const HASH_DIGITS: usize = 16;

/// Whether a storage key names an entry of the same client key: both keys are equal up to the hash of the user.
pub fn is_sibling(entry: &str, key: &str) -> bool {
    let prefix = entry.len().saturating_sub(HASH_DIGITS);
    let hash = key.as_bytes().get(prefix..).unwrap_or_default();
    key.len() == entry.len()
        && key.as_bytes().get(..prefix) == entry.as_bytes().get(..prefix)
        && hash.iter().all(u8::is_ascii_hexdigit)
}

/// The JSON of an entry. The time of writing (milliseconds since 1970) comes first, so that the oldest entry is the least as a text.
pub fn entry(now: f64, variants: &Variants) -> String {
    let mut text = String::from(TIME_PREFIX);
    push_number(&mut text, now as u64);
    text.push_str(",\"features\":");
    push_variants(&mut text, variants, usize::MAX);
    text.push_str("}");
    text
}

#[cfg(test)]
mod tests {
    use super::{entry, is_sibling};
    use crate::variants::Variants;

    #[test]
    fn only_entries_of_the_same_client_key_are_siblings() {
        let entry = "flagservice:v1:js-1:00112233aabbccdd";
        assert!(is_sibling(entry, "flagservice:v1:js-1:ffffffffffffffff"));
        for other in [
            "flagservice:v1:js-2:ffffffffffffffff",
            "flagservice:v1:js-1:fffffffffffffff",
            "flagservice:v1:js-1:the page's own!!",
            "",
        ] {
            assert!(!is_sibling(entry, other), "{other}");
        }
    }

    #[test]
    fn the_oldest_entry_is_the_least_as_a_text_and_a_damaged_one_is_older() {
        let variants = Variants::parse("a\0on");
        let text = entry(1_732_190_000_123.5, &variants);
        assert_eq!(text, r#"{"at":1732190000123,"features":{"a":"on"}}"#);
        assert!(text < entry(1_732_190_000_124.0, &Variants::default()));
        for damaged in ["", "damaged", "null", "[]", "{", r#"{"at":1,"features":{}}"#] {
            assert!(*damaged < *text, "{damaged}");
        }
    }
}
