//! Answers that are kept for requests with an `Idempotency-Key`.

use flagservice_rules::Instant;

/// The answer of a request.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    /// The status.
    pub status: u16,
    /// The body, without secrets.
    pub body: &'a str,
    /// The version of the resource in the body, if it has one.
    pub version: Option<u64>,
}

/// A request that was answered.
pub struct Record {
    /// Of the route and the body.
    pub request_hash: String,
    /// The answer's status.
    pub status: u16,
    /// The answer's body, without secrets.
    pub body: String,
    /// The version of what was answered, if it has one.
    pub version: Option<u64>,
    /// When the request came.
    pub at: Instant,
}

impl Record {
    /// Whether the request has not been answered: it is done in steps, and the body says which of them are.
    pub fn is_unfinished(&self) -> bool {
        self.status == 0
    }
}
