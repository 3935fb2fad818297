//! Whether an ID token can be accepted: signature, issuer, audience, expiry and nonce, which the library checks.

use std::fmt;
use std::sync::Arc;

use chrono::DateTime;
use openidconnect::core::CoreJwsSigningAlgorithm;
use openidconnect::{ClaimsVerificationError, Nonce, TokenResponse as _};
use serde_json::Value;

use crate::clock::Clock;
use crate::identity::client::{Client, Tokens};
use crate::identity::failure::chain;
use crate::identity::person::Person;

/// The signatures that are accepted: those of which only the provider has the key.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// The longest subject, in characters, as the standard limits it.
const MAX_SUBJECT: usize = 255;

/// Why an ID token is not accepted.
pub(super) enum Rejection {
    /// No known key has signed it.
    Signature(String),
    /// Another reason.
    Other(String),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature(cause) | Self::Other(cause) => f.write_str(cause),
        }
    }
}

/// The person of the ID token.
pub(super) fn person_of(
    client: &Client,
    tokens: &Tokens,
    nonce: &Nonce,
    clock: &Arc<dyn Clock>,
) -> Result<Person, Rejection> {
    let other = |cause: &str| Rejection::Other(cause.to_owned());
    let token = tokens.id_token().ok_or_else(|| other("there is no ID token; the scope openid is needed"))?;
    let now = || DateTime::from_timestamp_millis(clock.now().0).unwrap_or(DateTime::<chrono::Utc>::MAX_UTC);
    let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(now);
    let claims = token.claims(&verifier, nonce).map_err(|error| {
        let cause = chain(&error);
        let is_of_signature = matches!(error, ClaimsVerificationError::SignatureVerification(_));
        if is_of_signature { Rejection::Signature(cause) } else { Rejection::Other(cause) }
    })?;
    let subject = claims.subject().as_str();
    if subject.trim().is_empty() || subject.chars().count() > MAX_SUBJECT || subject.chars().any(char::is_control) {
        return Err(other("the subject is blank, longer than 255 characters, or has control characters"));
    }
    match serde_json::to_value(claims) {
        Ok(Value::Object(all)) => Ok(Person { subject: subject.to_owned(), claims: all }),
        Ok(_) | Err(_) => Err(other("the claims are no object")),
    }
}
