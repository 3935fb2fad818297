//! Personal access tokens, and the links with which invited people create their own.

pub mod scope;

use flagservice_rules::Instant;

use crate::domain::access_token::scope::Scope;
use crate::domain::ids::{AccessTokenId, UserId};
use crate::domain::user::User;

/// A token that counts or has expired; revoked ones are gone.
#[derive(Clone, Debug)]
pub struct AccessToken {
    /// Its id.
    pub id: AccessTokenId,
    /// Its owner.
    pub user_id: UserId,
    /// The person who created it; none if that is not known.
    pub creator_id: Option<UserId>,
    /// What the person calls it.
    pub name: String,
    /// Of the token's text.
    pub hash: String,
    /// The token's last characters.
    pub hint: String,
    /// When it was made.
    pub created_at: Instant,
    /// When it stops counting; none: never.
    pub expires_at: Option<Instant>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Instant>,
    /// What it is limited to; none: it may do what its owner may.
    pub scope: Option<Scope>,
}

/// A token, as audit records and decisions name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRef {
    /// The token.
    pub id: AccessTokenId,
    /// The person who created it; none if that is not known.
    pub creator_id: Option<UserId>,
}

impl From<AccessToken> for TokenRef {
    fn from(token: AccessToken) -> Self {
        Self { id: token.id, creator_id: token.creator_id }
    }
}

/// The owner of a valid token.
pub struct Bearer {
    /// The person.
    pub user: User,
    /// The token.
    pub token: TokenRef,
    /// What the token is limited to.
    pub scope: Option<Scope>,
    /// When the token stops counting; none: never.
    pub expires_at: Option<Instant>,
    /// Whether the time of last use is to be written again.
    pub touch: bool,
}

/// A link with which a person creates their own token, once.
#[derive(Clone, Debug)]
pub struct SetupLink {
    /// The invited person.
    pub user_id: UserId,
    /// The person who created the link.
    pub creator_id: UserId,
    /// When it stops working.
    pub expires_at: Instant,
}
