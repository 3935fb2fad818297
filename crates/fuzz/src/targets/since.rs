//! Two known versions, separated by a line break.
//!
//! - What is parsed is printed as a text of at most 53 characters that is parsed as the same.
//! - Versions of one epoch have an order: one may replace the other, both only if they are the same version.
//! - Versions of different epochs may replace each other.
//! - What the client accepts as a replacement is what the server calls one.

use flagservice_client::session::{Session, Values};
use flagservice_client::variants::Variants;
use flagservice_core::wire::Since;

/// 16 digits, 19 digits and 16 digits, with two dots.
const MAX_LENGTH: usize = 53;

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (one, other) = text.split_once('\n').unwrap_or((text, text));
    let (Some(one), Some(other)) = (Since::parse(one), Since::parse(other)) else { return };
    for since in [one, other] {
        let printed = since.to_string();
        assert!(printed.len() <= MAX_LENGTH, "{printed}");
        assert_eq!(Since::parse(&printed), Some(since), "{printed}");
        assert!(since.may_replace(&since));
    }
    let (forwards, backwards) = (other.may_replace(&one), one.may_replace(&other));
    assert!(forwards || backwards, "{one} and {other} have no order");
    let is_same = one.epoch != other.epoch || one.version == other.version;
    assert_eq!(forwards && backwards, is_same, "{one} and {other}");
    assert_eq!(client_accepts(&one, &other), forwards, "the client and {other} after {one}");
}

/// Whether a client that knows the values of `known` accepts those of `next`.
fn client_accepts(known: &Since, next: &Since) -> bool {
    let mut session = Session::new(true, true, true, Variants::default(), true);
    for (since, variant) in [(known, "known"), (next, "next")] {
        let mut variants = Variants::default();
        variants.set("f", variant);
        let values = Values { features: variants, experiments: None };
        assert!(session.receive(since.to_string(), values, true), "{since} is readable");
    }
    session.features().value("f") == "next"
}
