//! What is wrong with rules, and where.

use serde::Serialize;

/// One thing that is wrong, for the person who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invalid {
    /// JSON pointer within what was validated, such as `/rules/0/splits`.
    pub pointer: String,
    /// What is wrong and what would be right, in plain words.
    pub detail: String,
}

impl Invalid {
    pub(crate) fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), detail: detail.into() }
    }

    /// The same, within something that encloses it.
    pub(crate) fn under(mut self, enclosing: &str) -> Self {
        self.pointer.insert_str(0, enclosing);
        self
    }
}
