//! Why nobody could sign in with the identity provider.

use std::fmt;

/// A failure, with its cause for the log.
#[derive(Debug)]
pub enum Failure {
    /// The provider does not answer, or answers with an error of its own.
    Unreachable(String),
    /// The provider does not accept the code: it is unknown, used or too old; or it does not know this service.
    CodeRefused(String),
    /// What the provider has signed cannot be accepted.
    Invalid(String),
    /// The claim has none of the values that stand for a role.
    NoRole {
        /// The person, as the provider names them.
        subject: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(cause) => write!(f, "the identity provider does not answer: {cause:.300}"),
            Self::CodeRefused(cause) => write!(f, "the identity provider refused the code: {cause:.300}"),
            Self::Invalid(cause) => write!(f, "the answer of the identity provider cannot be accepted: {cause:.300}"),
            Self::NoRole { subject } => write!(f, "the claim has no role for the subject {subject}"),
        }
    }
}

impl std::error::Error for Failure {}

/// An error with its causes, in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
