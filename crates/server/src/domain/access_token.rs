//! Personal access tokens.

use flagservice_rules::Instant;

use crate::domain::ids::{AccessTokenId, UserId};
use crate::domain::user::User;

/// A token that counts or has expired; revoked ones are gone.
#[derive(Clone, Debug)]
pub struct AccessToken {
    /// Its id.
    pub id: AccessTokenId,
    /// Its owner.
    pub user_id: UserId,
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
}

/// The owner of a valid token.
pub struct Bearer {
    /// The person.
    pub user: User,
    /// The token.
    pub token_id: AccessTokenId,
    /// When the token stops counting; none: never.
    pub expires_at: Option<Instant>,
    /// Whether the time of last use is to be written again.
    pub touch: bool,
}
