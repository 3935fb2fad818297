//! Whether an exposure is due: once for each user, flag and variant, as long as the page lives.

use flagservice_core::digits::push_number;

/// What remembers the exposures that were sent. One ledger belongs to one handler, however many clients use it.
pub trait Ledger {
    /// Whether it holds the entry.
    fn has(&self, entry: &str) -> bool;
    /// Takes the entry up.
    fn add(&self, entry: &str);
}

/// Decides whether this exposure is to be sent now, and notes it as sent.
pub fn is_due(ledger: &impl Ledger, user_id: &str, key: &str, variant: &str) -> bool {
    let entry = entry(user_id, key, variant);
    let due = !ledger.has(&entry);
    if due {
        ledger.add(&entry);
    }
    due
}

/// One text for the three. The lengths of the first two, as JavaScript counts them, keep different exposures apart.
fn entry(user_id: &str, key: &str, variant: &str) -> String {
    let mut entry = String::new();
    for part in [user_id, key] {
        push_number(&mut entry, length(part));
        entry.push_str(":");
        entry.push_str(part);
    }
    entry.push_str(variant);
    entry
}

/// UTF-16 code units: one for each character, and a second one for those of four bytes in UTF-8.
fn length(text: &str) -> u64 {
    text.bytes().map(|byte| u64::from(byte & 0xc0 != 0x80) + u64::from(byte >= 0xf0)).sum()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashSet;

    use super::{Ledger, entry, is_due};

    #[derive(Default)]
    struct Page(RefCell<HashSet<String>>);

    impl Ledger for Page {
        fn has(&self, entry: &str) -> bool {
            self.0.borrow().contains(entry)
        }

        fn add(&self, entry: &str) {
            self.0.borrow_mut().insert(entry.to_owned());
        }
    }

    #[test]
    fn an_exposure_is_sent_once_per_user_flag_and_variant() {
        let page = Page::default();
        let sent: Vec<bool> =
            ["a", "b", "a", "b"].iter().map(|variant| is_due(&page, "alice", "checkout", variant)).collect();
        assert_eq!(sent, [true, true, false, false], "A, B, A sends A once and B once");
        assert!(is_due(&page, "bob", "checkout", "a"), "a change of user sends a fresh exposure");
    }

    #[test]
    fn an_entry_counts_as_javascript_does() {
        assert_eq!(entry("é😀", "1:", "on"), format!("{}:é😀2:1:on", "é😀".encode_utf16().count()));
    }

    #[test]
    fn keys_cannot_collide_by_concatenation() {
        let page = Page::default();
        assert!(is_due(&page, "a", "b", "c1:d"));
        assert!(is_due(&page, "a", "b1:c", "d"));
        assert!(is_due(&page, "a1:b", "c", "d"));
        assert!(is_due(&page, "a", "bc1:", "d"));
    }
}
