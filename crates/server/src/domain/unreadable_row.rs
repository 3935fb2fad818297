//! A stored row that cannot be read: damaged, or of a release that this one does not understand.

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadableRow {
    /// Its table.
    pub table: &'static str,
    /// Its primary key; the parts are separated by `/`.
    pub key: String,
    /// The column, and why it cannot be read. It may contain stored text: only for logs and operators.
    pub problem: String,
}
