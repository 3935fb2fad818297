//! The ledger of exposures: an exposure is sent once for each user, flag and variant until the page is closed. Each integration
//! source has a ledger of its own, which all copies of the client in a page share. It also has the latest variant of each user and
//! flag, because a user property has to be set again when a variant comes back.

use crate::json::object;

/// The name of a user and flag in a ledger. With a variant behind it, it is the entry of an exposure: the object's braces and quotes
/// make the entries of different exposures distinct.
pub fn ledger_name(user_id: &str, key: &str) -> String {
    object(&[(user_id, key)], "", "")
}

#[cfg(test)]
mod tests {
    use super::ledger_name;

    #[test]
    fn entries_of_different_exposures_are_distinct() {
        assert_eq!(ledger_name("ada", "checkout"), r#"{"ada":"checkout"}"#);
        for (one, other) in [
            (["a", "b\"}", "c"], ["a", "b", "\"}c"]),
            (["a\":\"b", "c", "d"], ["a", "b\":\"c", "d"]),
            (["alice", "x", "yz"], ["alice", "xy", "z"]),
            (["é1", "x", "on"], ["é", "1x", "on"]),
        ] {
            let entry = |[user, key, variant]: [&str; 3]| ledger_name(user, key) + variant;
            assert_ne!(entry(one), entry(other));
        }
    }
}
