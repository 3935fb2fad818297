//! The identity provider of the organisation, with OpenID Connect: where people sign in, and what it says of them. It knows nothing of
//! cookies and of the database.

mod client;
mod connection;
mod discovery;
mod failure;
mod pending;
mod person;
mod provider;
mod role_claim;
mod settings;
mod verification;

pub use failure::Failure;
pub use pending::PendingSignIn;
pub use provider::Provider;
pub use role_claim::{RoleClaim, RoleMapping};
pub use settings::{Issuer, ProviderSettings};
