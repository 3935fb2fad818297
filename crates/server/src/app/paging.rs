//! Lists in pages: a cursor says where the next page begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::app::{AppError, Result};

/// How many items a page has when nobody says.
pub const DEFAULT_LIMIT: u16 = 50;

/// How many items a page may have.
pub const MAX_LIMIT: u16 = 200;

/// Which page of a list is asked for.
#[derive(Clone, Debug)]
pub struct Page {
    /// The place in the list after which the page begins; empty: the beginning.
    pub after: String,
    limit: u16,
}

impl Page {
    /// Reads what a caller asked for.
    ///
    /// # Errors
    /// [`AppError::Invalid`] for an invalid limit, or for a cursor that no response contained.
    pub fn parse(cursor: Option<&str>, limit: Option<&str>) -> Result<Self> {
        let limit = limit.map_or(Some(DEFAULT_LIMIT), |limit| limit.parse().ok());
        let limit = limit
            .filter(|limit| (1..=MAX_LIMIT).contains(limit))
            .ok_or_else(|| AppError::invalid("/limit", format!("A page has 1 to {MAX_LIMIT} items.")))?;
        let after = match cursor {
            None => Some(String::new()),
            Some(cursor) => URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok()),
        };
        let after = after.filter(|after| !after.contains('\0')).ok_or_else(invalid_cursor)?;
        Ok(Self { after, limit })
    }

    /// The place after which the page begins, in a list by number; -1: the beginning.
    ///
    /// # Errors
    /// [`AppError::Invalid`] for a cursor that no such list gave.
    pub(super) fn after_number(&self) -> Result<i64> {
        if self.after.is_empty() { Ok(-1) } else { self.after.parse().map_err(|_| invalid_cursor()) }
    }

    /// How many items to fetch: one more than the page has, which tells whether there is a next one.
    pub(super) fn fetch(&self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// The same, as a length.
    pub(super) fn fetch_length(&self) -> usize {
        usize::from(self.limit) + 1
    }

    /// The page, of the items that were fetched. `place` is an item's place in the list.
    pub(super) fn paginate<T, P: ToString + ?Sized>(&self, mut items: Vec<T>, place: impl Fn(&T) -> &P) -> Paged<T> {
        let limit = usize::from(self.limit);
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more);
        let next_cursor = last.map(|last| URL_SAFE_NO_PAD.encode(place(last).to_string()));
        Paged { items, next_cursor }
    }
}

fn invalid_cursor() -> AppError {
    AppError::invalid("/cursor", "Take the cursor from nextCursor of the page before.")
}

/// One page of a list.
pub struct Paged<T> {
    /// In the list's order.
    pub items: Vec<T>,
    /// Asks for the next page; none: this is the last.
    pub next_cursor: Option<String>,
}
