//! A token of a stream: the JSON of a user, a line break, and a text that nobody sealed.
//!
//! - A text that the service has not sealed opens nothing.
//! - A sealed user is opened as the same user, or as none if the token would be too long for a URL.
//! - A sealed token with any other character, of another client key, or after its time opens nothing.

use flagservice_core::wire::MAX_TOKEN;
use flagservice_rules::{Instant, User};
use flagservice_server::serving::stream_token::{STREAM_TOKEN_LIFETIME_MS, open, seal};

use crate::service::{NOW, RUNNING};

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (json, forged) = text.split_once('\n').unwrap_or((text, text));
    let serving = &RUNNING.app().serving;
    let [key, other] = &RUNNING.keys;
    assert!(open(serving, key, forged, NOW).is_none(), "a token that nobody sealed: {forged}");
    let Ok(user) = serde_json::from_str::<User>(json) else { return };
    let (sealed, returned) = match seal(serving, key, user.clone()) {
        Ok(sealed) => sealed,
        Err(error) => return assert!(error.to_string().is_empty(), "every user can be sealed: {error}"),
    };
    assert_eq!(returned, user);
    let opened = open(serving, key, &sealed, NOW);
    assert!(sealed.len() <= MAX_TOKEN, "a token of {} characters", sealed.len());
    match opened.as_ref().and_then(|token| token.user.as_ref()) {
        Some(opened) => assert_eq!(*opened, user),
        None => {
            let json = serde_json::to_string(&user).unwrap_or_default();
            assert!(opened.is_some() && 2 * json.len() > MAX_TOKEN, "a short user is missing: {json}");
        }
    }
    assert!(open(serving, other, &sealed, NOW).is_none(), "another client key opens the token");
    let expired = Instant(NOW.0 + STREAM_TOKEN_LIFETIME_MS);
    assert!(open(serving, key, &sealed, expired).is_none(), "the token does not expire");
    let place = data.len() % sealed.len().max(1);
    let damaged: String =
        sealed.char_indices().map(|(index, own)| if index == place { other_letter(own) } else { own }).collect();
    assert!(open(serving, key, &damaged, NOW).is_none(), "{damaged} opens like {sealed}");
}

fn other_letter(letter: char) -> char {
    if letter == 'A' { 'B' } else { 'A' }
}
