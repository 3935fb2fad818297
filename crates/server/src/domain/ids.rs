//! Record ids. Each has its own type, so that ids can't be mixed up.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// A new id. Later ids sort after earlier ones.
            pub fn new(random: &dyn crate::random::Random, now: flagservice_rules::Instant) -> Self {
                Self(crate::random::uuid(random, now))
            }

            /// The id as stored.
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
    /// Id of an organisation.
    OrganisationId,
    /// Id of a person with an account, not of a user for whom features are evaluated.
    UserId,
    /// Id of a person's identity at an identity provider.
    IdentityId,
    /// Id of a personal access token.
    AccessTokenId,
    /// Id of a project.
    ProjectId,
    /// Id of an environment.
    EnvironmentId,
    /// Id of a client key or a server key.
    SdkKeyId,
    /// Id of an edge key.
    EdgeKeyId,
    /// Id of a release pipeline.
    PipelineId,
    /// Id of a feature.
    FeatureId,
    /// Id of a saved audience.
    AudienceId,
    /// Id of an experiment.
    ExperimentId,
    /// Id of a change, which may affect several environments.
    ChangeId,
    /// Id of an audit log entry.
    AuditId,
    /// Id of an approval.
    ApprovalId,
    /// Id of an integration.
    IntegrationId,
}
