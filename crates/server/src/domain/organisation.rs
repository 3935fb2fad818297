//! Organisations.

/// An organisation.
pub struct Organisation {
    /// As people call it.
    pub name: String,
    /// Raised by each change of the record.
    pub revision: u64,
}
