//! The service's response to a load.

use crate::variants::Variants;

/// A successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadResponse {
    /// The user's values.
    pub features: Variants,
    /// The known version of these values, as the string to send back.
    pub since: String,
    /// The token that opens the stream.
    pub token: String,
}
