//! What stands in local storage for each user: in which form, and for how many users. The shell names and reads it.

use flagservice_core::cut::cut;
use flagservice_core::digits::push_number;

use crate::json::push_variants;
use crate::variants::Variants;

/// So many users of one client key are kept.
pub const MOST_USERS: usize = 5;

const STAMP: &str = "{\"at\":";
const HASH_DIGITS: usize = 16;

/// Whether a storage key is that of an entry of the same client key as this entry's: alike up to the hash of the user.
pub fn is_beside(entry: &str, key: &str) -> bool {
    let prefix = entry.len().saturating_sub(HASH_DIGITS);
    let hash = key.as_bytes().get(prefix..).unwrap_or_default();
    key.len() == entry.len()
        && key.as_bytes().get(..prefix) == entry.as_bytes().get(..prefix)
        && hash.iter().all(u8::is_ascii_hexdigit)
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

#[cfg(test)]
mod tests {
    use super::{entry, is_beside, written_at};
    use crate::variants::Variants;

    #[test]
    fn entries_of_other_client_keys_and_what_the_page_keeps_are_not_beside() {
        let entry = "flagservice:v1:js-1:00112233aabbccdd";
        assert!(is_beside(entry, "flagservice:v1:js-1:ffffffffffffffff"));
        for other in [
            "flagservice:v1:js-2:ffffffffffffffff",
            "flagservice:v1:js-1:fffffffffffffff",
            "flagservice:v1:js-1:the page's own!!",
            "",
        ] {
            assert!(!is_beside(entry, other), "{other}");
        }
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
