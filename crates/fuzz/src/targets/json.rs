//! JSON as the REST API reads it, strictly.
//!
//! - What it accepts, serde_json accepts, and reads as the same.
//! - What only it refuses has a list where an object belongs.
//! - An error is in one line, and its pointer is empty or begins with `/`.

use flagservice_rules::{Ruleset, Targeting, User};
use flagservice_server::app::json::{Unreadable, parse};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    compare::<Targeting>(data);
    compare::<Ruleset>(data);
    compare::<User>(data);
    compare::<Value>(data);
}

fn compare<T: DeserializeOwned + PartialEq + std::fmt::Debug>(data: &[u8]) {
    match (parse::<T>(data), serde_json::from_slice::<T>(data)) {
        (Ok(strict), plain) => assert_eq!(Some(strict), plain.ok()),
        (Err(Unreadable::Invalid(violation)), plain) => {
            assert!(violation.pointer.is_empty() || violation.pointer.starts_with('/'), "{violation:?}");
            assert!(!violation.detail.is_empty(), "{violation:?}");
            assert!(
                plain.is_err() || violation.detail.contains("not a list"),
                "only strict reading refuses {violation:?}"
            );
        }
        (Err(Unreadable::Malformed(detail)), plain) => {
            assert!(!detail.is_empty() && !detail.contains('\n'), "{detail}");
            assert!(plain.is_err(), "only strict reading refuses the text: {detail}");
        }
    }
}
