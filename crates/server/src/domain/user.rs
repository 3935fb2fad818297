//! People who work with the platform, their identity at an identity provider, and what they have set for the pages.

use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{OrganisationId, UserId};
use crate::domain::role::Role;

/// A person of an organisation.
#[derive(Clone, Debug)]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// The organisation, which everything that the person does is confined to.
    pub organisation_id: OrganisationId,
    /// As annotations and the audit log name the person.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// Of people who sign in with an identity provider.
    pub identity: Option<Identity>,
    /// Raised by each change of the record.
    pub revision: u64,
}

/// What is shown of a person's identity: the provider sets their name, role and email address at each sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// None if the provider does not say it.
    pub email: Option<String>,
}

/// What a person has set for the pages of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// The features that the person has marked, in their order. Some may have been deleted since.
    pub favourites: Vec<Key>,
    /// The filters of the feature list that the person has saved, in their order.
    pub views: Vec<SavedView>,
    /// Raised by each change; none has 0.
    pub revision: u64,
}

/// A filter of the feature list with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SavedView {
    /// For the person.
    pub name: String,
    /// The filter and the order as in the URL of the list, without the question mark.
    pub query: String,
}
