//! Personal access tokens: shown once, stored as hashes.

use super::actor::ACCESS_TOKEN_PREFIX;
use super::{App, Result};
use crate::ids::{AccessTokenId, UserId};
use crate::random;
use crate::secret::Secret;
use crate::store::Write;
use crate::store::access_tokens::{self, NewAccessToken};

/// Makes a token for a person.
///
/// # Errors
/// When the database fails.
pub async fn issue(app: &App, write: &mut Write<'_>, user: &UserId, name: &str) -> Result<Secret> {
    let token = Secret::new(random::secret(&*app.random, ACCESS_TOKEN_PREFIX));
    let id = AccessTokenId::new(&*app.random, app.now());
    let new = NewAccessToken { id, user_id: user, name, hash: &token.hash(), expires_at: None };
    access_tokens::insert(write.connection().await?, &new, app.now()).await?;
    Ok(token)
}
