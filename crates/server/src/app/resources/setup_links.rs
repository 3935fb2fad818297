//! Set-up links: an administrator sends one to an invited person, who creates their own first token with it, once.

use std::time::Duration;

use flagservice_rules::Instant;
use serde_json::json;

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::resources::access_tokens::{self, Expiry, Limits, Owner};
use crate::app::resources::users;
use crate::app::{Actor, App, AppError, Name, Operation, Result, Write};
use crate::domain::access_token::{AccessToken, SetupLink};
use crate::domain::role::Role;
use crate::domain::user::User;
use crate::random;
use crate::secret::Secret;
use crate::store::resources::{access_tokens as stored_tokens, organisations, setup_links, users as stored_users};

/// How long a link works.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The prefix of a link's secret.
const PREFIX: &str = "setup-";

/// Creates a link for a person who cannot sign in, in place of their earlier ones. Its secret is shown once.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::NotFound`] for an unknown person, [`AppError::InUse`] for one
/// who can sign in: with a link, an administrator could act as that person, and nobody would notice.
pub async fn create(operation: &mut Operation<'_>, user: &str) -> Result<(SetupLink, Secret)> {
    operation.actor.require(Role::Administrator)?;
    // The person must still exist when the link does.
    organisations::lock(operation.write.connection().await?, &operation.actor.organisation_id).await?;
    let user = users::find(operation.write.connection().await?, operation.actor, user).await?;
    let secret = Secret::new(random::secret(&*operation.app.random, PREFIX));
    let now = operation.app.now();
    if user.identity.is_some() {
        return Err(AppError::InUse(format!(
            "'{}' signs in with single sign-on, and creates tokens themselves. If the identity provider is gone, the operator creates \
             one: flagservice-server token create.",
            user.name
        )));
    }
    if has_token(&mut operation.write, &user, now).await? {
        return Err(AppError::InUse(format!(
            "'{}' can sign in already, and creates further tokens themselves. If they have lost theirs, revoke it first.",
            user.name
        )));
    }
    let link = SetupLink {
        user_id: user.id.clone(),
        creator_id: operation.actor.user_id.clone(),
        expires_at: operation.app.clock.after(LIFETIME),
    };
    setup_links::replace(operation.write.connection().await?, &secret.hash(), &link, now).await?;
    let (resource, after) = (format!("users/{}", user.id), Some(json!({ "expiresAt": link.expires_at.0 })));
    record_audit(operation, AuditRecord { action: "user.invite", resource, before: None, after }).await?;
    Ok((link, secret))
}

async fn has_token(write: &mut Write<'_>, user: &User, now: Instant) -> Result<bool> {
    let connection = write.connection().await?;
    let tokens = stored_tokens::list(connection, &user.organisation_id, Some(&user.id), "", i64::MAX).await?;
    Ok(tokens.iter().any(|token| token.expires_at.is_none_or(|expiry| expiry > now)))
}

/// Creates a token for the person of the link, which does not work again.
///
/// # Errors
/// [`AppError::Unauthenticated`] for a link that is used, replaced, expired or unknown, or whose person can sign in.
pub async fn redeem(app: &App, secret: &Secret, name: Name) -> Result<(User, AccessToken, Secret)> {
    let mut write = app.begin().await?;
    let now = app.now();
    let (link, user) = take(&mut write, secret, now).await?.ok_or(AppError::Unauthenticated(
        "This set-up link was used, replaced, or has expired. Ask an administrator for a new one.",
    ))?;
    let limits = Limits { expires_at: Expiry::Default.instant(app), scope: None };
    let (token, text) = access_tokens::issue(app, &mut write, Owner::own(&user.id), name, limits).await?;
    let actor = Actor::new(user.clone(), Some(token.clone().into()));
    let mut operation = Operation { app, actor: &actor, write };
    let after = json!({
        "name": token.name, "userId": token.user_id, "invitedBy": link.creator_id,
        "expiresAt": token.expires_at.map(|at| at.0),
    });
    let (resource, after) = (format!("tokens/{}", token.id), Some(after));
    record_audit(&mut operation, AuditRecord { action: "token.create", resource, before: None, after }).await?;
    operation.commit().await?;
    Ok((user, token, text))
}

/// The link with its person, which does not work again. None if it does not work, or if the person can sign in: a link that an
/// earlier release has created did not end then.
async fn take(write: &mut Write<'_>, secret: &Secret, now: Instant) -> Result<Option<(SetupLink, User)>> {
    let connection = write.connection().await?;
    let organisation = setup_links::organisation(connection, &secret.hash()).await?;
    let Some(organisation) = organisation else { return Ok(None) };
    // Before the link, as when one is created. Nobody gets a token or an identity meanwhile.
    organisations::lock(connection, &organisation).await?;
    let Some(link) = setup_links::take(connection, &secret.hash(), now).await? else { return Ok(None) };
    let user = stored_users::find(connection, &organisation, link.user_id.as_str()).await?;
    let Some(user) = user.filter(|user| user.identity.is_none()) else { return Ok(None) };
    Ok((!has_token(write, &user, now).await?).then_some((link, user)))
}
