//! The service's response to a load.

use super::values::Values;

/// A successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadResponse {
    /// The user's values.
    pub values: Values,
    /// The known version of these values, as the string to send back.
    pub since: String,
    /// The token that opens the stream.
    pub token: String,
    /// The service asks for a summary of what the page evaluates.
    pub insights: bool,
}
