//! The cursor and the limit of a page, separated by a line break.
//!
//! - A limit that is accepted is a number from 1 to 200.
//! - A cursor that is accepted is the one text of its place in the list, and the place has no NUL.
//! - A refusal points at the parameter.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagservice_server::app::{AppError, Page};

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (cursor, limit) = text.split_once('\n').map_or((text, None), |(cursor, limit)| (cursor, Some(limit)));
    match Page::parse(Some(cursor), limit) {
        Ok(page) => {
            assert_eq!(URL_SAFE_NO_PAD.encode(&page.after), cursor, "each place has one cursor");
            assert!(!page.after.contains('\0'), "PostgreSQL cannot compare NUL");
            let limit = limit.map_or(Some(1), |limit| limit.parse::<i64>().ok());
            assert!(limit.is_some_and(|limit| (1..=200).contains(&limit)), "{limit:?}");
        }
        Err(AppError::Invalid(violations)) => {
            assert!(violations.iter().all(|violation| ["/cursor", "/limit"].contains(&violation.pointer.as_str())));
            assert!(!violations.is_empty());
        }
        Err(error) => assert!(error.to_string().is_empty(), "another error: {error}"),
    }
}
