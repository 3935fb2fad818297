//! The ledger of exposures: an exposure is sent once for each user, flag and variant until the page is closed. Each integration
//! source has a ledger of its own, which all copies of the client in a page share.

use crate::json::object;

/// The entry of an exposure in a ledger. The object's braces and quotes make the entries of different exposures distinct.
pub fn ledger_entry(user_id: &str, key: &str, variant: &str) -> String {
    object(&[(user_id, key)], "", "") + variant
}

#[cfg(test)]
mod tests {
    use super::ledger_entry;

    #[test]
    fn entries_of_different_exposures_are_distinct() {
        assert_eq!(ledger_entry("ada", "checkout", "on"), r#"{"ada":"checkout"}on"#);
        for (one, other) in [
            (["a", "b\"}", "c"], ["a", "b", "\"}c"]),
            (["a\":\"b", "c", "d"], ["a", "b\":\"c", "d"]),
            (["alice", "x", "yz"], ["alice", "xy", "z"]),
            (["é1", "x", "on"], ["é", "1x", "on"]),
        ] {
            let entry = |[user, key, variant]: [&str; 3]| ledger_entry(user, key, variant);
            assert_ne!(entry(one), entry(other));
        }
    }
}
