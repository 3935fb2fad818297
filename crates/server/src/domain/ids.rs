//! The ids of records, each a type of its own, so that one cannot stand where another is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// A new id, later ones sorting after earlier ones.
            pub fn new(random: &dyn crate::random::Random, now: flagservice_rules::Instant) -> Self {
                Self(crate::random::uuid(random, now))
            }

            /// The id as it is stored.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

id! {
    /// Of an organisation.
    OrganisationId,
    /// Of a person who works with the platform; not of a user whom features are evaluated for.
    UserId,
    /// Of a personal access token.
    AccessTokenId,
    /// Of a project.
    ProjectId,
    /// Of an environment.
    EnvironmentId,
    /// Of a client key or a server key.
    SdkKeyId,
    /// Of a release pipeline.
    PipelineId,
    /// Of a feature.
    FeatureId,
    /// Of a saved audience.
    AudienceId,
    /// Of one change, which may touch several environments.
    ChangeId,
    /// Of an entry of the audit log.
    AuditId,
    /// Of a change that waits, or waited, for approval.
    ApprovalId,
    /// Of an outbound integration.
    IntegrationId,
}
