//! A sign-in that has begun, until the provider sends the person back. The browser keeps it, encrypted.

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

/// What the answer of the provider is compared with.
#[derive(Debug, Serialize, Deserialize)]
pub struct PendingSignIn {
    /// What the provider sends back beside the code: the sign-in was begun in this browser.
    pub state: String,
    /// What the ID token has to contain: it was issued for this sign-in.
    pub(super) nonce: String,
    /// What the hash in the first request is of: the code is exchanged by who asked for it (PKCE).
    pub(super) verifier: String,
    /// The path of the page to go to afterwards.
    pub from: String,
    /// When the person has to begin again.
    pub expires_at: Instant,
}
