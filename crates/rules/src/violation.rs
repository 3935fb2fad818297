//! What is invalid in targeting, and where.

use serde::Serialize;

/// One violation, worded for the person who wrote the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Invalid))]
pub struct Violation {
    /// JSON pointer within what was validated, such as `/rules/0/splits`.
    pub pointer: String,
    /// What is wrong and what would be right, in plain words.
    pub detail: String,
}

impl Violation {
    pub(crate) fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), detail: detail.into() }
    }

    /// The same violation with a longer pointer, which starts with `parent`.
    pub(crate) fn under(mut self, parent: &str) -> Self {
        self.pointer.insert_str(0, parent);
        self
    }
}
