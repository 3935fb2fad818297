//! JSON of rules, user and time: see [`Case::check`].

use crate::case::Case;

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    if let Some(case) = Case::parse(data) {
        case.check();
    }
}
