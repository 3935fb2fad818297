//! Personal access tokens: shown once, stored as hashes, with an expiry and the time of last use.

use flagservice_rules::Instant;
use serde_json::json;

use crate::app::actor::ACCESS_TOKEN_PREFIX;
use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::resources::token_scopes::NewScope;
use crate::app::resources::users;
use crate::app::{Actor, App, AppError, Name, Need, Operation, Page, Paged, Result, Write};
use crate::domain::access_token::AccessToken;
use crate::domain::access_token::scope::Scope;
use crate::domain::ids::{AccessTokenId, UserId};
use crate::domain::role::Role;
use crate::random;
use crate::secret::Secret;
use crate::store::resources::{access_tokens, organisations, setup_links};

/// The tokens that count or have expired: the caller's own, or everybody's for administrators. A token that is limited to projects or
/// environments sees itself.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, page: &Page) -> Result<Paged<AccessToken>> {
    let owner = (actor.role < Role::Administrator || actor.is_limited()).then_some(&actor.user_id);
    let connection = &mut *app.store.read().await?;
    let tokens = access_tokens::list(connection, &actor.organisation_id, owner, &page.after, page.fetch()).await?;
    let mut paged = page.paginate(tokens, |token| token.id.as_str());
    let in_use = actor.token.as_ref().map(|token| &token.id);
    paged.items.retain(|token| !actor.is_limited() || Some(&token.id) == in_use);
    Ok(paged)
}

/// What a new token is made of.
pub struct NewAccessToken {
    /// What the person calls it.
    pub name: Name,
    /// Its owner; the caller without one. Only the operator names another person.
    pub user_id: Option<String>,
    /// When it stops counting.
    pub expiry: Expiry,
    /// What it is limited to.
    pub scope: Option<NewScope>,
}

/// When a new token stops counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// When the service says so: a year later, unless its operator decided otherwise.
    Default,
    /// Then.
    At(Instant),
    /// Never.
    Never,
}

impl Expiry {
    /// The instant; none: never.
    pub(in crate::app) fn instant(self, app: &App) -> Option<Instant> {
        match self {
            Self::Default => app.retention.access_token.map(|lifetime| app.clock.after(lifetime)),
            Self::At(instant) => Some(instant),
            Self::Never => None,
        }
    }
}

/// Creates a token for the caller or, by the operator on the command line, for a person: people who work with the platform
/// create their own, so that nobody can act as someone else.
///
/// # Errors
/// [`AppError::Invalid`] for an expiry that is past, [`AppError::Forbidden`] for a token of someone else,
/// [`AppError::ForbiddenUse`] with a token that has a scope,
/// [`AppError::UnknownReference`] for an unknown person, project or environment.
pub async fn create(operation: &mut Operation<'_>, new: NewAccessToken) -> Result<(AccessToken, Secret)> {
    operation.actor.require_in_scope(Need::Organisation)?;
    let expires_at = new.expiry.instant(operation.app);
    if expires_at.is_some_and(|expiry| expiry <= operation.app.now()) {
        return Err(AppError::invalid("/expiresAt", "The token would have expired already. Name a later time."));
    }
    let user_id = new.user_id.as_deref().unwrap_or(operation.actor.user_id.as_str());
    if user_id != operation.actor.user_id.as_str() && !operation.actor.is_operator() {
        return Err(AppError::Forbidden(
            "People create their own tokens. Send the person a set-up link: POST /api/v1/users/{userId}/setup-link.",
        ));
    }
    // The person must still be there when the token is.
    organisations::lock(operation.write.connection().await?, &operation.actor.organisation_id).await?;
    let user = users::find(operation.write.connection().await?, operation.actor, user_id).await;
    let user_id = user.map_err(|error| error.of_reference("/userId"))?.id;
    let scope = match new.scope {
        None => None,
        Some(scope) => Some(scope.resolve(operation.write.connection().await?, operation.actor).await?),
    };
    let owner = Owner { user: &user_id, creator: &operation.actor.user_id };
    let limits = Limits { expires_at, scope };
    let (token, text) = issue(operation.app, &mut operation.write, owner, new.name, limits).await?;
    let after = json!({
        "name": token.name, "userId": token.user_id, "expiresAt": token.expires_at.map(|at| at.0),
        "scope": token.scope.as_ref().map(ToString::to_string),
    });
    let resource = format!("tokens/{}", token.id);
    record_audit(operation, AuditRecord { action: "token.create", resource, before: None, after: Some(after) }).await?;
    Ok((token, text))
}

/// Revokes a token: the caller's own, or anybody's by an administrator.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such token that the caller may see.
pub async fn revoke(operation: &mut Operation<'_>, id: &str) -> Result<()> {
    let token = access_tokens::find(operation.write.connection().await?, &operation.actor.organisation_id, id).await?;
    let token = token
        .filter(|token| token.user_id == operation.actor.user_id || operation.actor.role == Role::Administrator)
        .ok_or_else(|| AppError::not_found("token", id))?;
    access_tokens::revoke(operation.write.connection().await?, &token.id, operation.app.now()).await?;
    let before = json!({ "name": token.name, "userId": token.user_id });
    let resource = format!("tokens/{}", token.id);
    record_audit(operation, AuditRecord { action: "token.revoke", resource, before: Some(before), after: None }).await
}

/// The owner of a new token, and its creator.
pub(in crate::app) struct Owner<'a> {
    pub(in crate::app) user: &'a UserId,
    pub(in crate::app) creator: &'a UserId,
}

impl<'a> Owner<'a> {
    /// The person creates it themselves.
    pub(in crate::app) fn own(user: &'a UserId) -> Self {
        Self { user, creator: user }
    }
}

/// When a new token stops counting, and what it is limited to.
pub(in crate::app) struct Limits {
    /// None: never.
    pub(in crate::app) expires_at: Option<Instant>,
    /// None: to nothing.
    pub(in crate::app) scope: Option<Scope>,
}

/// Creates a token, without asking who may. Its owner needs no set-up link any longer.
pub(in crate::app) async fn issue(
    app: &App,
    write: &mut Write<'_>,
    owner: Owner<'_>,
    name: Name,
    Limits { expires_at, scope }: Limits,
) -> Result<(AccessToken, Secret)> {
    let text = Secret::new(random::secret(&*app.random, ACCESS_TOKEN_PREFIX));
    let created_at = app.now();
    let token = AccessToken {
        id: AccessTokenId::new(&*app.random, created_at),
        user_id: owner.user.clone(),
        creator_id: Some(owner.creator.clone()),
        name: name.into(),
        hash: text.hash(),
        hint: text.hint(),
        created_at,
        expires_at,
        last_used_at: None,
        scope,
    };
    let connection = write.connection().await?;
    access_tokens::insert(connection, &token).await?;
    setup_links::delete_of(connection, owner.user).await?;
    Ok((token, text))
}
